// Package grpc resolves names for gRPC: dial guidepost:///NAME, and connections follow the places of the name.
package grpc

import (
	"context"
	"errors"
	"strings"

	"google.golang.org/grpc/resolver"
	guidepost "guidepost.io/client"
)

// Builder makes resolvers of the scheme "guidepost" on a client; give it to grpc.WithResolvers.
type Builder struct {
	Client *guidepost.Client
}

// Scheme returns the scheme of targets.
func (b Builder) Scheme() string { return "guidepost" }

// Build begins to watch the name of a target.
func (b Builder) Build(target resolver.Target, connection resolver.ClientConn, _ resolver.BuildOptions) (resolver.Resolver, error) {
	name := strings.TrimPrefix(target.Endpoint(), "/")
	if name == "" {
		return nil, errors.New("write guidepost:///NAME")
	}
	ctx, cancel := context.WithCancel(context.Background())
	go follow(b.Client.Watch(ctx, name), name, connection)
	return following{cancel}, nil
}

type following struct{ cancel context.CancelFunc }

// ResolveNow does nothing: changes come by themselves.
func (f following) ResolveNow(resolver.ResolveNowOptions) {}

// Close ends the watch.
func (f following) Close() { f.cancel() }

// follow tells gRPC the places of a name as they change. The last ones stay in use while the servers of names are away.
func follow(watch *guidepost.Watch, name string, connection resolver.ClientConn) {
	var places []guidepost.Place
	ready := false
	for {
		change, err := watch.Next()
		if err != nil {
			connection.ReportError(err)
			return
		}
		switch {
		case change.Kind == "reset":
			ready, places = false, nil
			continue
		case change.Kind == "ready":
			ready = true
		case change.Name != name:
			// Another name that begins with this one.
			continue
		case change.Record != nil:
			places = change.Record.Places
		default:
			places = nil
		}
		if !ready {
			continue
		}
		if len(places) == 0 {
			connection.ReportError(errors.New(name + " has no places"))
			continue
		}
		var addresses []resolver.Address
		for _, each := range places {
			addresses = append(addresses, resolver.Address{Addr: each.Address})
		}
		// An error says that gRPC has no use for these places; it waits for others.
		_ = connection.UpdateState(resolver.State{Addresses: addresses})
	}
}
