package guidepost

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// A request of GNRS and its response, all numbers big-endian; docs/gnrs.md has every message.
//
//	header                                    payload of LOOKUP (type 0x01)
//	 offset size                               +0  20  GUID
//	    0     1  version, 0                   payload of LOOKUP_RESPONSE (0x81)
//	    1     1  type                          +0   2  code, 0 = SUCCESS
//	    2     2  length of the message         +2   2  padding
//	    4     4  request id                    +4   4  b, number of places
//	    8     2  options offset, 0 = none      +8   .  b addresses: type 16, length 16, value
//	   10     2  payload offset, 16+n         option
//	   12     2  origin type                   +0   1  bit 7: the last one; bits 0-6: which
//	   14     2  n, origin length              +1   1  length of the value
//	   16     n  origin; none = the source     +2   .  value
const (
	headerBytes    = 16
	typeLookup     = 0x01
	typeResponse   = 0x81
	optRecursion   = 0
	optExpiration  = 1
	optTTL         = 2
	optPartial     = 0x60
	optAccept      = 0x61
	optPadding     = 0x62
	optLast        = 0x80
	optionBytesMax = 255
	// The longest UDP payload over IPv4.
	datagramBytesMax = 65_507
	// Bytes of a place in a response, with its times: a padded request of that length permits a response with all places.
	placeBytesUsual = 64
)

var errMalformed = errors.New("not a LOOKUP_RESPONSE")

func encodeLookup(id uint32, guid [20]byte, padding int) []byte {
	order := binary.BigEndian
	out := make([]byte, headerBytes, headerBytes+len(guid)+8+padding+2*(padding/optionBytesMax+1))
	out[1] = typeLookup
	order.PutUint32(out[4:], id)
	order.PutUint16(out[8:], uint16(headerBytes+len(guid)))
	order.PutUint16(out[10:], headerBytes)
	out = append(append(out, guid[:]...), optRecursion, 2, 0, 1)
	for ; padding > 0; padding -= optionBytesMax {
		size := min(padding, optionBytesMax)
		out = append(append(out, optPadding, byte(size)), make([]byte, size)...)
	}
	out = append(out, optAccept|optLast, 2, datagramBytesMax>>8, datagramBytesMax&0xff)
	order.PutUint16(out[2:], uint16(len(out)))
	return out
}

// found is a parsed response: total is how many places the name has, of which some may not have fitted.
type found struct {
	success bool
	places  []Place
	total   int
}

func decodeResponse(in []byte) (id uint32, out found, err error) {
	order := binary.BigEndian
	if len(in) < headerBytes || in[0] != 0 || in[1] != typeResponse || int(order.Uint16(in[2:])) != len(in) {
		return 0, out, errMalformed
	}
	id = order.Uint32(in[4:])
	options := order.Uint16(in[8:]) != 0
	rest := in[headerBytes:]
	take := func(n int) []byte {
		if n > len(rest) {
			err = errMalformed
			n = len(rest)
		}
		taken := rest[:n]
		rest = rest[n:]
		return taken
	}
	take(int(order.Uint16(in[14:])))
	head := take(8)
	if err != nil {
		return 0, out, err
	}
	out.success = order.Uint16(head) == 0
	count := int(order.Uint32(head[4:]))
	if count > len(rest)/4 {
		return 0, out, errMalformed
	}
	out.total = count
	out.places = make([]Place, count)
	for i := range out.places {
		address := take(4)
		if err != nil {
			return 0, out, err
		}
		out.places[i].Address = addressText(order.Uint16(address), take(int(order.Uint16(address[2:]))))
	}
	for options && len(rest) > 0 && err == nil {
		option := take(2)
		if err != nil {
			break
		}
		value := take(int(option[1]))
		switch kind := option[0] &^ optLast; {
		case (kind == optTTL || kind == optExpiration) && len(value) == 8*count:
			for i := range out.places {
				millis := int64(order.Uint64(value[8*i:]))
				if kind == optTTL {
					out.places[i].TTL = time.Duration(millis) * time.Millisecond
				} else if millis != 0 {
					out.places[i].Expires = time.UnixMilli(millis)
				}
			}
		case kind == optPartial && len(value) == 4:
			out.total = int(order.Uint32(value))
		}
	}
	return id, out, err
}

func addressText(kind uint16, value []byte) string {
	port := func() uint16 { return binary.BigEndian.Uint16(value[len(value)-2:]) }
	switch {
	case kind == 0 && len(value) == 6:
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(value)), port()).String()
	case kind == 0xF006 && len(value) == 18:
		return netip.AddrPortFrom(netip.AddrFrom16([16]byte(value)), port()).String()
	case kind == 1 && len(value) == 20:
		return "guid:" + hex.EncodeToString(value)
	case kind == 0xF007:
		return strings.ToValidUTF8(string(value), "\uFFFD")
	}
	return fmt.Sprintf("type%d:%x", kind, value)
}

// channel looks GUIDs up over UDP. Each attempt goes to the next server (hedged request); the first response counts.
type channel struct {
	servers    []string
	hedgeAfter time.Duration
	timeout    time.Duration
	mutex      sync.Mutex
	sockets    map[string]net.Conn
	waiting    map[uint32]chan found
}

func newChannel(servers []string, hedgeAfter, timeout time.Duration) *channel {
	return &channel{servers: servers, hedgeAfter: hedgeAfter, timeout: timeout, sockets: map[string]net.Conn{}, waiting: map[uint32]chan found{}}
}

// socket returns a connected one: the kernel passes only datagrams of the server's address.
func (c *channel) socket(server string) (net.Conn, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if known := c.sockets[server]; known != nil {
		return known, nil
	}
	opened, err := net.DialTimeout("udp", server, c.timeout)
	if err == nil {
		c.sockets[server] = opened
		go c.receive(opened)
	}
	return opened, err
}

func (c *channel) receive(socket net.Conn) {
	buffer := make([]byte, 1<<16)
	for {
		n, err := socket.Read(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		// Any other error says that the port is unreachable: the next attempt goes to another server.
		if id, answer, fault := decodeResponse(buffer[:n]); err == nil && fault == nil {
			c.mutex.Lock()
			waiter := c.waiting[id]
			delete(c.waiting, id)
			c.mutex.Unlock()
			if waiter != nil {
				waiter <- answer
			}
		}
	}
}

func (c *channel) lookup(ctx context.Context, guid [20]byte) ([]Place, error) {
	answer, err := c.ask(ctx, guid, 0)
	if err == nil && answer.success && answer.total > len(answer.places) {
		// A longer request permits a longer response.
		answer, err = c.ask(ctx, guid, min(placeBytesUsual*answer.total, datagramBytesMax/2))
	}
	if err != nil {
		return nil, err
	}
	if !answer.success || answer.total > len(answer.places) {
		return nil, errorf(Other, "the server answered FAILED over GNRS, or a part of the places")
	}
	return answer.places, nil
}

const attemptsMax = 16

func (c *channel) ask(ctx context.Context, guid [20]byte, padding int) (found, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	answers := make(chan found, attemptsMax)
	var ids []uint32
	defer func() {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		for _, id := range ids {
			delete(c.waiting, id)
		}
	}()
	wait := c.hedgeAfter
	for attempt := 0; attempt < attemptsMax; attempt++ {
		var random [4]byte
		if _, err := rand.Read(random[:]); err != nil {
			return found{}, err
		}
		id := binary.BigEndian.Uint32(random[:])
		ids = append(ids, id)
		c.mutex.Lock()
		c.waiting[id] = answers
		c.mutex.Unlock()
		socket, err := c.socket(c.servers[attempt%len(c.servers)])
		if err == nil {
			_, err = socket.Write(encodeLookup(id, guid, padding))
		}
		if err != nil && attempt < len(c.servers)-1 {
			// A server that cannot be sent to costs no wait.
			continue
		}
		select {
		case answer := <-answers:
			return answer, nil
		case <-ctx.Done():
			return found{}, errorf(Timeout, "no GNRS server answered within %v (%s)", c.timeout, strings.Join(c.servers, ", "))
		case <-time.After(wait):
		}
		if attempt >= len(c.servers)-1 {
			wait *= 2
		}
	}
	return found{}, errorf(Timeout, "no GNRS server answered (%s)", strings.Join(c.servers, ", "))
}

func (c *channel) close() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, each := range c.sockets {
		_ = each.Close()
	}
}
