// Package tour is what the documentation shows: a name is put, resolved, held by a lease and watched.
package tour

import (
	"context"
	"time"

	guidepost "guidepost.io/client"
)

// Run returns what a program would print.
func Run(ctx context.Context, server, gnrs, token string) (told []string, err error) {
	// snippet: go
	client, err := guidepost.New(guidepost.Config{Servers: []string{server}, GNRS: []string{gnrs}, Token: token})
	if err != nil {
		return nil, err
	}
	defer client.Close()
	if _, err = client.Put(ctx, "orders.example", guidepost.At("192.0.2.10:8443", "[2001:db8::10]:8443")); err != nil {
		return nil, err
	}
	places, err := client.Resolve(ctx, "orders.example")
	if err != nil {
		return nil, err
	}
	for _, place := range places {
		told = append(told, place.Address)
	}
	lease := client.Lease(30 * time.Second)
	defer lease.Close(ctx)
	// Renewed until the lease or the process ends.
	if err = lease.Add(ctx, "workers.example", guidepost.At("192.0.2.7:9000")...); err != nil {
		return nil, err
	}
	for watch := client.Watch(ctx, "workers."); ; {
		change, err := watch.Next()
		if err != nil || change.Kind == "ready" { // the snapshot is complete; a service goes on
			return told, err
		}
		told = append(told, change.Kind+" "+change.Name)
	}
	// end
}
