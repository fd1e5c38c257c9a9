// Package guidepost is a client of the names of a Guidepost deployment: a name goes in, the places where it is now come out.
//
// It resolves over GNRS (one datagram) where it can and over HTTP otherwise, writes, holds leases, watches, and lists. It needs
// nothing but the standard library. A [Client] may be shared by goroutines.
package guidepost

import (
	"encoding/json"
	"fmt"
	"time"
)

// Place is a place of a name. Address is 10.1.2.3:4444, [2001:db8::1]:4444, guid: and 40 digits, or a URL. TTL is how long a cache may
// keep it, Expires when it ends; zero where that is not set, as nil is for Weight.
type Place struct {
	Address string
	TTL     time.Duration
	Expires time.Time
	Weight  *int
	Labels  map[string]string
}

// At returns places that have an address and nothing else.
func At(addresses ...string) []Place {
	places := make([]Place, len(addresses))
	for i, each := range addresses {
		places[i].Address = each
	}
	return places
}

// String returns the address.
func (p Place) String() string { return p.Address }

type jsonPlace struct {
	Place   string            `json:"place"`
	TTL     float64           `json:"ttl,omitempty"`
	Expires *time.Time        `json:"expires,omitempty"`
	Weight  *int              `json:"weight,omitempty"`
	Labels  map[string]string `json:"labels,omitempty"`
}

// MarshalJSON writes the form that the server reads.
func (p Place) MarshalJSON() ([]byte, error) {
	out := jsonPlace{Place: p.Address, TTL: p.TTL.Seconds(), Weight: p.Weight, Labels: p.Labels}
	if !p.Expires.IsZero() {
		utc := p.Expires.UTC().Truncate(time.Millisecond)
		out.Expires = &utc
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads the form that the server writes.
func (p *Place) UnmarshalJSON(text []byte) error {
	var in jsonPlace
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*p = Place{Address: in.Place, TTL: time.Duration(in.TTL * float64(time.Second)), Weight: in.Weight, Labels: in.Labels}
	if in.Expires != nil {
		p.Expires = *in.Expires
	}
	return nil
}

// Record is what is kept of a name. Version grows with every change; a write can demand it.
type Record struct {
	Name    string  `json:"name"`
	GUID    string  `json:"guid"`
	Version string  `json:"version"`
	Places  []Place `json:"places"`
}

// Change is what a watch tells.
type Change struct {
	// Kind is "put": Record has the name's places now. "delete": Name has no places any more. "ready": the snapshot is complete,
	// and what follows are changes. "reset": forget all that was told; a snapshot follows, in which deleted names are missing.
	Kind   string
	Name   string
	Record *Record
}

// Kind is why a request failed.
type Kind string

const (
	// Unreachable: no server could be reached. A write was not done, unless the message says that its outcome is unknown.
	Unreachable Kind = "unreachable"
	// Timeout: no server answered in time.
	Timeout Kind = "timeout"
	// Denied: the token is missing, unknown, or not for this name (401, 403).
	Denied Kind = "denied"
	// Invalid: a malformed name, place, lifetime or event id (400, 413, 422).
	Invalid Kind = "invalid"
	// Conflict: the record has another version than the one that the write demands (409, 412).
	Conflict Kind = "conflict"
	// Overloaded: the server has reached a bound, or has no room (429, 503, 507); nothing was changed.
	Overloaded Kind = "overloaded"
	// Other is something else.
	Other Kind = "other"
)

// Error is the error of a request: its kind, the status of HTTP (0 if no server answered), and what the server says.
type Error struct {
	Kind    Kind
	Status  int
	Message string
	// Problem are the server's problem details (RFC 9457).
	Problem map[string]any
}

// Error returns a sentence.
func (e *Error) Error() string { return "guidepost: " + e.Message }

func errorf(kind Kind, format string, arguments ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, arguments...)}
}
