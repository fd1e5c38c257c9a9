package guidepost

import (
	"context"
	"encoding/json"
	"math"
	"net"
	"net/http"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	page = 1000
	// How many times as long as one attempt GNRS may take before HTTP is asked, and how long it is left alone when it was silent.
	gnrsPatience = 5
	gnrsPause    = 5 * time.Second
)

// Config says where a client finds its servers, and how long it waits.
type Config struct {
	// Servers are http://HOST:PORT or https://HOST:PORT; reads are hedged over all of them.
	Servers []string
	// GNRS are HOST:PORT of GNRS over UDP; with one a look-up costs one datagram.
	GNRS []string
	// ALTO is the directory of ALTO, such as http://HOST:5082/directory; Rank needs it.
	ALTO string
	// Token is a bearer token, for writes.
	Token string
	// HTTP makes the requests, if certificates are to be set; it is to have no timeout of its own.
	HTTP *http.Client
	// Timeout is that of each request: 5 s if it is 0.
	Timeout time.Duration
	// HedgeAfter: a read that takes longer is also sent to the next server; 100 ms if it is 0.
	HedgeAfter time.Duration
}

// Client is a client of one or more servers of a deployment.
type Client struct {
	servers  *servers
	gnrs     *channel
	gnrsFrom atomic.Int64
	alto     string
}

// New returns a client; the servers need not be reachable yet.
func New(config Config) (*Client, error) {
	if config.Timeout <= 0 {
		config.Timeout = 5 * time.Second
	}
	if config.HedgeAfter <= 0 {
		config.HedgeAfter = 100 * time.Millisecond
	}
	servers, err := newServers(config)
	if err != nil {
		return nil, err
	}
	client := &Client{servers: servers, alto: config.ALTO}
	var gnrs []string
	for _, each := range config.GNRS {
		if _, _, err := net.SplitHostPort(each); err != nil {
			each = net.JoinHostPort(strings.Trim(each, "[]"), "5001")
		}
		gnrs = append(gnrs, each)
	}
	if len(gnrs) > 0 {
		client.gnrs = newChannel(gnrs, config.HedgeAfter, min(config.Timeout, gnrsPatience*config.HedgeAfter))
	}
	return client, nil
}

// Resolve returns the places of a name, links to other names followed; none if it has none. Over GNRS, if the client has a server of
// it: such places have neither weight nor labels.
func (c *Client) Resolve(ctx context.Context, name string) ([]Place, error) {
	if c.gnrs != nil && time.Now().UnixNano() >= c.gnrsFrom.Load() {
		guid, err := GUID(name)
		if err != nil {
			return nil, err
		}
		places, err := c.gnrs.lookup(ctx, guid)
		if len(places) > 0 {
			return places, nil
		}
		if failed, ok := err.(*Error); ok && failed.Kind == Timeout {
			// UDP may be blocked on the way: HTTP for a while, instead of a wait for each name.
			c.gnrsFrom.Store(time.Now().Add(gnrsPause).UnixNano())
		}
		// No places may also mean that the text is not in NFC, or that the server folds handles otherwise: it is asked by the text.
	}
	return places(c.record(ctx, name, "?recursive=1"))
}

// ResolveNearest returns the places of a name, those first that are nearest to an address by the operator's topology.
func (c *Client) ResolveNearest(ctx context.Context, name, address string) ([]Place, error) {
	return places(c.record(ctx, name, "?recursive=1&nearest="+url.QueryEscape(address)))
}

func places(record *Record, err error) ([]Place, error) {
	if record == nil {
		return nil, err
	}
	return record.Places, err
}

// Get returns the record of a name as it is kept: with version, weights and labels, and links not followed; nil if there is none.
func (c *Client) Get(ctx context.Context, name string) (*Record, error) {
	return c.record(ctx, name, "")
}

func (c *Client) record(ctx context.Context, name, query string) (*Record, error) {
	got, err := c.servers.read(ctx, path(name)+query, true)
	if err != nil || got.status == http.StatusNotFound {
		return nil, err
	}
	return decode[Record](got)
}

func path(name string) string {
	return "/v1/names/" + url.PathEscape(name)
}

func decode[T any](got answer) (*T, error) {
	value := new(T)
	if err := json.Unmarshal(got.body, value); err != nil {
		return nil, errorf(Other, "the server's answer is not as expected: %v", err)
	}
	return value, nil
}

// A Condition of a write.
type Condition func() (header, value string)

// IfVersion demands that the record has a version; a Conflict tells that it has not.
func IfVersion(version string) Condition {
	return func() (string, string) { return "If-Match", `"` + version + `"` }
}

// IfAbsent demands that the name has no places.
func IfAbsent() Condition {
	return func() (string, string) { return "If-None-Match", "*" }
}

// Put replaces all places of a name, durably.
func (c *Client) Put(ctx context.Context, name string, places []Place, conditions ...Condition) (*Record, error) {
	var headers []string
	for _, each := range conditions {
		header, value := each()
		headers = append(headers, header, value)
	}
	got, err := c.servers.write(ctx, http.MethodPut, path(name), map[string]any{"places": places}, false, headers...)
	if err != nil {
		return nil, err
	}
	return decode[Record](got)
}

// Add adds places to a name, which keeps those that it has; a place that is there takes the new lifetime, weight and labels.
func (c *Client) Add(ctx context.Context, name string, places ...Place) (*Record, error) {
	got, err := c.servers.write(ctx, http.MethodPatch, path(name), map[string]any{"add": places}, false)
	if err != nil {
		return nil, err
	}
	return decode[Record](got)
}

// Remove removes places of a name, or all of them if none is named; it returns false if the name had none.
func (c *Client) Remove(ctx context.Context, name string, addresses ...string) (bool, error) {
	if len(addresses) > 0 {
		_, err := c.servers.write(ctx, http.MethodPatch, path(name), map[string]any{"remove": addresses}, false)
		return err == nil, err
	}
	got, err := c.servers.write(ctx, http.MethodDelete, path(name), nil, true)
	return err == nil && got.status != http.StatusNotFound, err
}

// List gives the records of all names that begin with a text, sorted by their bytes, until each returns false; fetched in pages.
func (c *Client) List(ctx context.Context, prefix string, each func(Record) bool) error {
	query := url.Values{"prefix": {prefix}, "limit": {strconv.Itoa(page)}}
	for {
		got, err := c.servers.read(ctx, "/v1/names?"+query.Encode(), false)
		if err != nil {
			return err
		}
		listed, err := decode[struct {
			Names []Record
			Next  *string
		}](got)
		if err != nil {
			return err
		}
		for _, record := range listed.Names {
			if !each(record) {
				return nil
			}
		}
		if listed.Next == nil {
			return nil
		}
		query.Set("after", *listed.Next)
	}
}

// Rank returns addresses, nearest first by the operator's topology; those that the server does not know come last. Source is the
// address that they are to be near to: the client's own if it is empty, which a server may demand.
func (c *Client) Rank(ctx context.Context, addresses []string, source string) ([]string, error) {
	base, err := url.Parse(c.alto)
	if err != nil || c.alto == "" {
		return nil, errorf(Invalid, "Rank needs the directory of ALTO: Config.ALTO = \"http://HOST:5082/directory\"")
	}
	directory, err := askALTO[struct {
		Resources map[string]struct {
			URI       string `json:"uri"`
			MediaType string `json:"media-type"`
		}
	}](ctx, c, c.alto, nil)
	if err != nil {
		return nil, err
	}
	endpoints := map[string][]string{}
	for _, each := range addresses {
		endpoints["dsts"] = append(endpoints["dsts"], endpoint(each))
	}
	if source != "" {
		endpoints["srcs"] = []string{endpoint(source)}
	}
	costType := map[string]string{"cost-mode": "numerical", "cost-metric": "routingcost"}
	for _, each := range directory.Resources {
		where, err := base.Parse(each.URI)
		if each.MediaType != "application/alto-endpointcost+json" || err != nil {
			continue
		}
		costs, err := askALTO[struct {
			Map map[string]map[string]float64 `json:"endpoint-cost-map"`
		}](ctx, c, where.String(), map[string]any{"cost-type": costType, "endpoints": endpoints})
		if err != nil {
			return nil, err
		}
		cost := func(address string) float64 {
			for _, row := range costs.Map {
				if cost, ok := row[endpoint(address)]; ok {
					return cost
				}
			}
			return math.Inf(1)
		}
		ranked := append([]string(nil), addresses...)
		sort.SliceStable(ranked, func(i, j int) bool { return cost(ranked[i]) < cost(ranked[j]) })
		return ranked, nil
	}
	return nil, errorf(Other, "the server publishes no costs between addresses")
}

func endpoint(address string) string {
	if strings.Contains(address, ":") {
		return "ipv6:" + address
	}
	return "ipv4:" + address
}

func askALTO[T any](ctx context.Context, c *Client, where string, question any) (*T, error) {
	ctx, cancel := context.WithTimeout(ctx, c.servers.timeout)
	defer cancel()
	method, body := http.MethodGet, []byte(nil)
	if question != nil {
		method = http.MethodPost
		var err error
		if body, err = json.Marshal(question); err != nil {
			return nil, err
		}
	}
	request, err := c.servers.request(ctx, method, where, "", body, "Content-Type", "application/alto-endpointcostparams+json", "Accept", "*/*")
	if err != nil {
		return nil, err
	}
	// The token is for the servers of names.
	request.Header.Del("Authorization")
	got, err := c.servers.send(request, false)
	if err != nil {
		return nil, c.servers.told(err, where, "")
	}
	return decode[T](got)
}

// Close closes the sockets and idle connections; leases and watches are closed by themselves.
func (c *Client) Close() {
	if c.gnrs != nil {
		c.gnrs.close()
	}
	c.servers.http.CloseIdleConnections()
}
