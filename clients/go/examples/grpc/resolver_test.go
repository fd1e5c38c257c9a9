package grpc

import (
	"context"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	guidepost "guidepost.io/client"
)

const (
	name     = "grpc-go.example"
	moves    = 5
	callers  = 4
	patience = 20 * time.Second
)

// place is a gRPC server that counts its calls.
type place struct {
	server  *grpc.Server
	address string
	calls   atomic.Int64
}

func open(t *testing.T) *place {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &place{address: listener.Addr().String()}
	p.server = grpc.NewServer(grpc.UnaryInterceptor(
		func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
			p.calls.Add(1)
			return handle(ctx, request)
		}))
	grpc_health_v1.RegisterHealthServer(p.server, health.NewServer())
	go func() { _ = p.server.Serve(listener) }()
	return p
}

func wait(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !condition(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

func TestNoCallIsLostWhileTheServerMoves(t *testing.T) {
	if os.Getenv("HTTP") == "" {
		t.Skip("HTTP names no server of names")
	}
	ctx := context.Background()
	client, err := guidepost.New(guidepost.Config{Servers: []string{os.Getenv("HTTP")}, Token: os.Getenv("TOKEN")})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	now := open(t)
	if _, err := client.Put(ctx, name, guidepost.At(now.address)); err != nil {
		t.Fatal(err)
	}
	connection, err := grpc.NewClient("guidepost:///"+name,
		grpc.WithResolvers(Builder{client}), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()

	var done, lost atomic.Int64
	var ended atomic.Bool
	var group sync.WaitGroup
	for i := 0; i < callers; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for !ended.Load() {
				if _, err := grpc_health_v1.NewHealthClient(connection).Check(ctx, &grpc_health_v1.HealthCheckRequest{}); err != nil {
					lost.Add(1)
					t.Error(err)
				}
				done.Add(1)
			}
		}()
	}
	wait(t, "calls at the first place", func() bool { return now.calls.Load() > 100 })
	for i := 0; i < moves; i++ {
		next := open(t)
		if _, err := client.Put(ctx, name, guidepost.At(next.address)); err != nil {
			t.Fatal(err)
		}
		wait(t, "calls at the next place", func() bool { return next.calls.Load() > 100 })
		now.server.GracefulStop()
		now = next
	}
	ended.Store(true)
	group.Wait()
	now.server.Stop()
	t.Logf("%d calls while the server moved %d times, %d lost", done.Load(), moves, lost.Load())
}
