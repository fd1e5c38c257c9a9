package io.guidepost.names;

import java.lang.foreign.MemorySegment;

/**
 * One question that came in a datagram and the room for its answer: a flyweight that a worker makes once and points at
 * each datagram in turn. Addresses are 128 bits, IPv4 in its mapped form ({@code ::ffff:a.b.c.d}). Not thread-safe: it
 * belongs to one worker.
 *
 * <p>A door reads the question in place, writes the answer into the room, and calls {@link #answer}. An answer goes to
 * where the question came from, unless the door names another port of the same host.
 */
public final class Exchange {
    /** High half of every IPv4 address in mapped form. */
    public static final long IPV4_HIGH = 0;

    /**
     * All memory of the process; offsets in it are addresses. Whoever points an exchange at addresses takes this one: it is a
     * constant for the compiler, which then leaves out most of what is checked at each access to a segment.
     */
    public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /**
     * All bits that an offset in {@link #MEMORY} may have. An offset masked with it is inside of that for certain, and so is
     * what lies a little behind: the compiler leaves out the comparison at each access.
     */
    public static final long OFFSET_BITS = 0x0000_ffff_ffff_ffffL;

    private static final long IPV4_MARK = 0xffffL << 32;

    private MemorySegment question = MemorySegment.NULL;
    private long questionOffset;
    private int questionLength;
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
    private int answerLength;

    /** Low half of an IPv4 address in mapped form. */
    public static long ipv4Low(int address) {
        return IPV4_MARK | address & 0xffffffffL;
    }

    /** Whether two halves are an IPv4 address in mapped form. */
    public static boolean isIpv4(long high, long low) {
        return high == IPV4_HIGH && low >>> 32 == 0xffffL;
    }

    /** Points at a question; the caller vouches that the bytes are inside the segment. */
    public void question(MemorySegment segment, long offset, int length, long now) {
        question = segment;
        questionOffset = offset;
        questionLength = length;
        nowMillis = now;
        answerLength = 0;
    }

    /** Says who asks, or for an answer that was deferred, who asked. */
    public void peer(long high, long low, int port) {
        peerHigh = high;
        peerLow = low;
        peerPort = port;
    }

    /** Says which address of ours was asked, where that is known; zeros where it is not. */
    public void local(long high, long low, int port) {
        localHigh = high;
        localLow = low;
        localPort = port;
    }

    /** Points at the room for an answer. */
    public void room(MemorySegment segment, long offset, int length) {
        room = segment;
        roomOffset = offset;
        roomLength = length;
        answerLength = 0;
    }

    /** Says that so many bytes of the room are the answer; 0 = there is none. */
    public void answer(int length) {
        answerLength = length;
    }

    /** Sends the answer to another port of the host that asked: old clients send from one and listen on another. */
    public void answerToPort(int port) {
        peerPort = port;
    }

    /** Where the question is. */
    public MemorySegment question() {
        return known(question);
    }

    /** The same segment, as a constant if it is {@link #MEMORY}: the compiler takes the way that was taken so far. */
    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"}) // Either answer is right; one spares checks.
    public static MemorySegment known(MemorySegment segment) {
        return segment == MEMORY ? MEMORY : segment;
    }

    public long questionOffset() {
        return questionOffset & OFFSET_BITS;
    }

    public int questionLength() {
        return questionLength;
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

    /** Where the room for the answer is. */
    public MemorySegment room() {
        return known(room);
    }

    public long roomOffset() {
        return roomOffset & OFFSET_BITS;
    }

    public int roomLength() {
        return roomLength;
    }

    public int answerLength() {
        return answerLength;
    }
}
