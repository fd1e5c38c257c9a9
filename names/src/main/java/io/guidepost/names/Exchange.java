package io.guidepost.names;

import io.guidepost.base.Memory;
import io.guidepost.base.PendingDatagrams;
import java.lang.foreign.MemorySegment;

/**
 * One request in a datagram and the room for its response: a flyweight that a worker makes once and points at each
 * datagram in turn. Addresses are 128 bits, IPv4 in its mapped form ({@code ::ffff:a.b.c.d}). Not thread-safe: it
 * belongs to one worker.
 *
 * <p>A door reads the request in place, writes the response into the room and calls {@link #respond}. A response goes
 * back to the request's source, unless the door names another port of the same host.
 */
public final class Exchange {
    private MemorySegment request = MemorySegment.NULL;
    private long requestOffset;
    private int requestLength;
    private long peerHigh;
    private long peerLow;
    private int peerPort;
    private long localHigh;
    private long localLow;
    private int localPort;
    private long nowMillis;
    private MemorySegment room = MemorySegment.NULL;
    private long roomOffset;
    private int roomLength;
    private int responseLength;

    /** Points at a request; the caller has checked that the bytes are inside the segment. */
    public void request(MemorySegment segment, long offset, int length, long now) {
        request = segment;
        requestOffset = offset;
        requestLength = length;
        nowMillis = now;
        responseLength = 0;
    }

    /** Sets the peer: the request's source, also for a deferred response. */
    public void peer(long high, long low, int port) {
        peerHigh = high;
        peerLow = low;
        peerPort = port;
    }

    /** Sets the local address that the request was sent to; zeros where it is unknown. */
    public void local(long high, long low, int port) {
        localHigh = high;
        localLow = low;
        localPort = port;
    }

    /** Copies bytes to the end of a queue, with the addresses of this exchange; returns false if the queue is full. */
    public boolean copyTo(PendingDatagrams pending, MemorySegment from, long offset, int length) {
        if (!pending.add(from, offset, length)) {
            return false;
        }
        pending.address(peerHigh, peerLow, peerPort, localHigh, localLow, localPort);
        return true;
    }

    /** Takes over the addresses of the first datagram that waits. */
    public void addressesOf(PendingDatagrams pending) {
        peer(pending.peerHigh(), pending.peerLow(), pending.peerPort());
        local(pending.localHigh(), pending.localLow(), pending.localPort());
    }

    /** Takes over the addresses of another exchange. */
    public void addressesOf(Exchange other) {
        peer(other.peerHigh, other.peerLow, other.peerPort);
        local(other.localHigh, other.localLow, other.localPort);
    }

    /** Points at the room for a response. */
    public void room(MemorySegment segment, long offset, int length) {
        room = segment;
        roomOffset = offset;
        roomLength = length;
        responseLength = 0;
    }

    /** Sets the length of the response in the room; 0 = none. */
    public void respond(int length) {
        responseLength = length;
    }

    /** Sends the response to another port of the requesting host: old clients send from one port and listen on another. */
    public void respondToPort(int port) {
        peerPort = port;
    }

    /** Returns the segment of the request. */
    public MemorySegment request() {
        return Memory.known(request);
    }

    public long requestOffset() {
        return requestOffset & Memory.MASK;
    }

    public int requestLength() {
        return requestLength;
    }

    public long peerHigh() {
        return peerHigh;
    }

    public long peerLow() {
        return peerLow;
    }

    public int peerPort() {
        return peerPort;
    }

    public long localHigh() {
        return localHigh;
    }

    public long localLow() {
        return localLow;
    }

    public int localPort() {
        return localPort;
    }

    public long nowMillis() {
        return nowMillis;
    }

    /** Returns the segment of the room. */
    public MemorySegment room() {
        return Memory.known(room);
    }

    public long roomOffset() {
        return roomOffset & Memory.MASK;
    }

    public int roomLength() {
        return roomLength;
    }

    public int responseLength() {
        return responseLength;
    }
}
