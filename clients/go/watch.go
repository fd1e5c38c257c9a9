package guidepost

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	// The server tells something every 15 seconds; after three times that it is gone.
	silenceMax = 45 * time.Second
	retryMin   = 50 * time.Millisecond
	retryMax   = 5 * time.Second
	eventMax   = 16 << 20
)

// Watch tells a snapshot of names, "ready", and then each change, at least once and in order for a name. It survives lost connections
// and servers: it resumes where it was (Last-Event-ID), or tells "reset" and a new snapshot. One goroutine calls Next.
type Watch struct {
	servers  *servers
	target   string
	ctx      context.Context
	cancel   context.CancelFunc
	body     io.ReadCloser
	lines    *bufio.Scanner
	silence  *time.Timer
	position string
	told     bool
	ready    bool
	retry    time.Duration
}

// Watch watches the names that begin with a text, until Close or the end of ctx.
func (c *Client) Watch(ctx context.Context, prefix string) *Watch {
	ctx, cancel := context.WithCancel(ctx)
	return &Watch{servers: c.servers, target: "/v1/names?watch=1&prefix=" + url.QueryEscape(prefix), ctx: ctx, cancel: cancel, retry: retryMin}
}

// Next waits for the next change. An error is the end: the client may not read, the prefix is none, or the watch is closed.
func (w *Watch) Next() (Change, error) {
	for {
		if w.ctx.Err() != nil {
			w.disconnect()
			return Change{}, errorf(Other, "the watch is closed")
		}
		if w.lines == nil {
			if w.position == "" && w.told {
				// The snapshot was cut off, or is of another server: what was told of it may be gone.
				w.told, w.ready = false, false
				return Change{Kind: "reset"}, nil
			}
			if err := w.connect(); err != nil {
				var refused *Error
				if errors.As(err, &refused) && (refused.Kind == Denied || refused.Kind == Invalid) {
					if refused.Status != 400 || w.position == "" {
						return Change{}, refused
					}
					w.position = ""
					continue
				}
				w.lost()
				continue
			}
		}
		event, data, id, ok := w.event()
		if !ok {
			w.lost()
			continue
		}
		w.retry = retryMin
		if id != "" {
			w.position = id
		}
		// A server tells "ready" once more when a watch resumes.
		tells := event == "reset" && w.told || event == "ready" && !w.ready || event != "reset" && event != "ready"
		w.told = event != "reset"
		w.ready = w.told && (w.ready || event == "ready")
		if event == "reset" {
			w.position = ""
		}
		if !tells {
			continue
		}
		change := Change{Kind: event}
		record := new(Record)
		if err := json.Unmarshal([]byte(data), record); err != nil {
			return Change{}, errorf(Other, "an event is not as expected: %v", err)
		}
		change.Name = record.Name
		if event == "put" {
			change.Record = record
		}
		return change, nil
	}
}

func (w *Watch) event() (event, data, id string, ok bool) {
	for w.lines.Scan() {
		w.silence.Reset(silenceMax)
		key, value, _ := strings.Cut(w.lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case key == "event":
			event = value
		case key == "data":
			data += value
		case key == "id":
			id = value
		case w.lines.Text() == "" && event != "":
			return event, data, id, true
		}
	}
	return "", "", "", false
}

func (w *Watch) connect() error {
	server := w.servers.inOrder()[0]
	ctx, cancel := context.WithCancel(w.ctx)
	w.silence = time.AfterFunc(silenceMax, cancel)
	headers := []string{"Accept", "text/event-stream"}
	if w.position != "" {
		headers = append(headers, "Last-Event-ID", w.position)
	}
	request, err := w.servers.request(ctx, http.MethodGet, server, w.target, nil, headers...)
	if err != nil {
		return err
	}
	response, err := w.servers.http.Do(request)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(response.Body, 1<<16))
		return failure(response.StatusCode, body)
	}
	w.body = response.Body
	w.lines = bufio.NewScanner(response.Body)
	w.lines.Buffer(make([]byte, 1<<12), eventMax)
	return nil
}

// lost goes to the next server, after a while.
func (w *Watch) lost() {
	w.disconnect()
	if order := w.servers.inOrder(); len(order) > 1 {
		w.servers.prefer(order[1])
	}
	select {
	case <-w.ctx.Done():
	case <-time.After(w.retry/2 + time.Duration(rand.Int63n(int64(w.retry/2)))):
	}
	w.retry = min(2*w.retry, retryMax)
}

func (w *Watch) disconnect() {
	if w.body != nil {
		_ = w.body.Close()
	}
	if w.silence != nil {
		w.silence.Stop()
	}
	w.body, w.lines = nil, nil
}

// Close ends the watch; a goroutine that waits in Next is told. It may be called by any.
func (w *Watch) Close() {
	w.cancel()
}
