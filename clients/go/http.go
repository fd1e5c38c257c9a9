package guidepost

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	connectTimeout = 2 * time.Second
	// Bytes of a body that the client takes: more is no answer of this server.
	bodyBytesMax = 64 << 20
)

// servers are those of a client over HTTP. Reads are hedged; a write goes to one, and to the next only if that one never saw it.
type servers struct {
	http       *http.Client
	token      string
	hedgeAfter time.Duration
	timeout    time.Duration
	mutex      sync.Mutex
	order      []string
}

func newServers(config Config) (*servers, error) {
	if len(config.Servers) == 0 {
		return nil, errorf(Invalid, "a client needs a server: http://HOST:PORT")
	}
	s := &servers{http: config.HTTP, token: config.Token, hedgeAfter: config.HedgeAfter, timeout: config.Timeout}
	for _, each := range config.Servers {
		parts, err := url.Parse(each)
		if err != nil || parts.Host == "" || parts.Scheme != "http" && parts.Scheme != "https" {
			return nil, errorf(Invalid, "'%s' is no server: write http://HOST:PORT or https://HOST:PORT", each)
		}
		s.order = append(s.order, strings.TrimSuffix(each, "/"))
	}
	if s.http == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.DialContext = (&net.Dialer{Timeout: connectTimeout}).DialContext
		s.http = &http.Client{Transport: transport}
	}
	return s, nil
}

func (s *servers) inOrder() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]string(nil), s.order...)
}

// prefer puts a server first; with that of the second place, it puts the first one last.
func (s *servers) prefer(server string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for i, each := range s.order {
		if each == server {
			s.order = append(append([]string(nil), s.order[i:]...), s.order[:i]...)
			return
		}
	}
}

type answer struct {
	status int
	body   []byte
}

func (s *servers) request(ctx context.Context, method, server, target string, body []byte, headers ...string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, server+target, bytes.NewReader(body))
	if err != nil {
		return nil, errorf(Invalid, "%v", err)
	}
	request.Header.Set("Accept", "application/json")
	if s.token != "" {
		request.Header.Set("Authorization", "Bearer "+s.token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	return request, nil
}

// send returns the whole response; an error is an *Error unless the network failed.
func (s *servers) send(request *http.Request, missing bool) (answer, error) {
	response, err := s.http.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, bodyBytesMax))
	if err != nil {
		return answer{}, err
	}
	if response.StatusCode < 300 || missing && response.StatusCode == http.StatusNotFound {
		return answer{response.StatusCode, body}, nil
	}
	return answer{}, failure(response.StatusCode, body)
}

// failure returns the error of a response above 399, with what the server says about it.
func failure(status int, body []byte) *Error {
	problem := map[string]any{}
	_ = json.Unmarshal(body, &problem)
	said, ok := problem["detail"].(string)
	if !ok {
		said = strings.ToValidUTF8(string(body[:min(len(body), 200)]), "")
	}
	kind := Other
	switch status {
	case 401, 403:
		kind = Denied
	case 409, 412:
		kind = Conflict
	case 429, 503, 507:
		kind = Overloaded
	case 400, 405, 406, 413, 414, 415, 422:
		kind = Invalid
	}
	return &Error{Kind: kind, Status: status, Message: fmt.Sprintf("%d: %s", status, said), Problem: problem}
}

// read asks the first server, after hedgeAfter or a failure also the next; the first success counts, and is preferred then.
func (s *servers) read(ctx context.Context, target string, missing bool) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	type outcome struct {
		server string
		answer answer
		err    error
	}
	order := s.inOrder()
	outcomes := make(chan outcome, len(order))
	asked, failed := 0, 0
	next := func() {
		if asked < len(order) {
			server := order[asked]
			asked++
			go func() {
				request, err := s.request(ctx, http.MethodGet, server, target, nil)
				if err != nil {
					outcomes <- outcome{server, answer{}, err}
					return
				}
				got, err := s.send(request, missing)
				outcomes <- outcome{server, got, err}
			}()
		}
	}
	next()
	hedge := time.NewTicker(s.hedgeAfter)
	defer hedge.Stop()
	for {
		select {
		case <-hedge.C:
			next()
		case <-ctx.Done():
			return answer{}, s.silence("")
		case got := <-outcomes:
			var refused *Error
			if got.err == nil {
				s.prefer(got.server)
				return got.answer, nil
			}
			if errors.As(got.err, &refused) && refused.Status < 429 {
				return answer{}, refused
			}
			// This server cannot now; another may.
			failed++
			if failed == len(order) {
				return answer{}, s.told(got.err, got.server, "")
			}
			next()
		}
	}
}

func (s *servers) silence(more string) *Error {
	return errorf(Timeout, "no answer within %v (%s)%s", s.timeout, strings.Join(s.inOrder(), ", "), more)
}

// told returns the error that a failed request is told as.
func (s *servers) told(err error, server, more string) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return s.silence(more)
	}
	return errorf(Unreachable, "%s: %v%s", server, err, more)
}

// write asks the first server that can be connected to.
func (s *servers) write(ctx context.Context, method, target string, body any, missing bool, headers ...string) (answer, error) {
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return answer{}, errorf(Invalid, "%v", err)
		}
		headers = append(headers, "Content-Type", "application/json")
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	var last error
	for _, server := range s.inOrder() {
		request, err := s.request(ctx, method, server, target, data, headers...)
		if err != nil {
			return answer{}, err
		}
		got, err := s.send(request, missing)
		var network *net.OpError
		if err != nil && errors.As(err, &network) && network.Op == "dial" {
			last = s.told(err, server, "")
			continue
		}
		if err != nil {
			return answer{}, s.told(err, server, "; whether the write was done is unknown")
		}
		s.prefer(server)
		return got, nil
	}
	return answer{}, last
}
