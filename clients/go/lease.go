package guidepost

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Lease holds places that go when this process ends: one renewal in the background for all of them. A lease that was lost, as the
// process was cut off for longer than it lasts, is begun anew with all places. Goroutines may share it.
type Lease struct {
	client  *Client
	length  time.Duration
	mutex   sync.Mutex
	held    map[string]map[string]Place
	id      string
	ended   chan struct{}
	started bool
	renewed int
	lost    int
	err     error
}

// Lease returns a lease: places that it adds go when this process ends, length later at the latest.
func (c *Client) Lease(length time.Duration) *Lease {
	return &Lease{client: c, length: length, held: map[string]map[string]Place{}, ended: make(chan struct{})}
}

// Add adds places to a name, for as long as the lease lasts.
func (l *Lease) Add(ctx context.Context, name string, places ...Place) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	there, err := l.put(ctx, name, places)
	if err == nil && !there {
		if err = l.again(ctx); err == nil {
			_, err = l.put(ctx, name, places)
		}
	}
	if err != nil {
		return err
	}
	if l.held[name] == nil {
		l.held[name] = map[string]Place{}
	}
	for _, each := range places {
		l.held[name][each.Address] = each
	}
	if !l.started {
		l.started = true
		go l.renewForEver()
	}
	return nil
}

// Remove removes the places that this lease added to a name.
func (l *Lease) Remove(ctx context.Context, name string) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var addresses []string
	for each := range l.held[name] {
		addresses = append(addresses, each)
	}
	delete(l.held, name)
	if len(addresses) == 0 {
		return nil
	}
	_, err := l.client.Remove(ctx, name, addresses...)
	return err
}

// put adds places under the lease, or begins one; it returns false if the lease has ended.
func (l *Lease) put(ctx context.Context, name string, places []Place) (bool, error) {
	term := l.id
	if term == "" {
		term = strconv.FormatInt(l.length.Milliseconds(), 10) + "ms"
	}
	got, err := l.client.servers.write(ctx, http.MethodPatch, path(name)+"?lease="+term, map[string]any{"add": places}, l.id != "")
	if err != nil || got.status == http.StatusNotFound {
		return false, err
	}
	told, err := decode[struct{ Lease struct{ ID string } }](got)
	if err == nil {
		l.id = told.Lease.ID
	}
	return true, err
}

// again begins a new lease with all places: one with a part of them would be renewed as if it were whole.
func (l *Lease) again(ctx context.Context) error {
	if l.id != "" {
		l.lost++
	}
	l.id = ""
	for name, byAddress := range l.held {
		var places []Place
		for _, each := range byAddress {
			places = append(places, each)
		}
		if _, err := l.put(ctx, name, places); err != nil {
			l.id = ""
			return err
		}
	}
	return nil
}

func (l *Lease) renewForEver() {
	wait := l.length / 3
	for {
		select {
		case <-l.ended:
			return
		case <-time.After(wait):
		}
		wait = l.length / 3
		if err := l.renew(); err != nil {
			wait = min(time.Second, l.length/10)
		}
	}
}

func (l *Lease) renew() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	ctx := context.Background()
	there := l.id != ""
	var err error
	if there {
		var got answer
		got, err = l.client.servers.write(ctx, http.MethodPost, "/v1/leases/"+l.id+":renew", nil, true)
		there = got.status != http.StatusNotFound
	}
	if err == nil && !there {
		err = l.again(ctx)
	}
	if err == nil {
		l.renewed++
	}
	l.err = err
	return err
}

// LeaseState is how a lease fares: the server's name of it (empty before the first place), how often it was renewed, how often lost
// and begun anew, and why the last renewal failed (nil if it did not).
type LeaseState struct {
	ID            string
	Renewed, Lost int
	Err           error
}

// State returns how the lease fares.
func (l *Lease) State() LeaseState {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return LeaseState{l.id, l.renewed, l.lost, l.err}
}

// Close ends the lease: its places are removed.
func (l *Lease) Close(ctx context.Context) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.started {
		l.started = false
		close(l.ended)
	}
	id := l.id
	l.id = ""
	l.held = map[string]map[string]Place{}
	if id == "" {
		return nil
	}
	_, err := l.client.servers.write(ctx, http.MethodDelete, "/v1/leases/"+id, nil, true)
	return err
}
