package io.guidepost.packet;

import java.lang.foreign.MemorySegment;

/**
 * Up to {@link #capacity} packets that come or go together: a table with one row for each packet, over one memory
 * segment that holds their bytes. There is no object per packet. A burst is made by a queue and stays with it; it
 * belongs to one thread at a time.
 *
 * <p>Addresses are 128 bits in two halves, IPv4 in its mapped form ({@code ::ffff:a.b.c.d}), see {@link Addresses}.
 *
 * <pre>
 *  row, 8 longs = one cache line of 64 bytes
 *  0 offset in the segment   1 length (low 32) and peer's port (high 32)   2, 3 peer's address
 *  4, 5 own address, 0 if not known   6 the back end's own   7 not used
 * </pre>
 *
 * <p>Why an array of the heap and not memory off it? Only this class reads the table; an array element costs one
 * comparison, an access to a segment three.
 */
public final class Burst {
    /** What {@link #room} gives when there is none. */
    public static final long NO_ROOM = -1;

    private static final int ROW_SHIFT = 3;
    private static final int OFFSET = 0;
    private static final int LENGTH_AND_PORT = 1;
    private static final int PEER_HIGH = 2;
    private static final int PEER_LOW = 3;
    private static final int LOCAL_HIGH = 4;
    private static final int LOCAL_LOW = 5;

    private final long[] rows;
    private final MemorySegment segment;
    private final int capacity;
    private final int roomBytes;
    private final long roomOffsetMax;
    private int count;
    private long next;

    /**
     * A burst over memory of a back end. Packets that leave are packed one behind the other from offset 0, so that a
     * train of equal answers to one peer is one piece of memory.
     *
     * @param segment holds the bytes
     * @param capacity packets at most
     * @param roomBytes bytes that each packet appended here may have
     */
    Burst(MemorySegment segment, int capacity, int roomBytes) {
        this.segment = segment;
        this.capacity = capacity;
        this.roomBytes = roomBytes;
        this.roomOffsetMax = segment.byteSize() - roomBytes;
        this.rows = new long[capacity << ROW_SHIFT];
    }

    /** Packets that it holds at most. */
    public int capacity() {
        return capacity;
    }

    /** Packets that it holds now, numbered from 0. */
    public int count() {
        return count;
    }

    /** The memory that all offsets refer to. */
    public MemorySegment segment() {
        return segment;
    }

    /** Where a packet's bytes begin in the segment. */
    public long offset(int index) {
        return rows[(index << ROW_SHIFT) + OFFSET];
    }

    /** Bytes of a packet, 0 or more. */
    public int length(int index) {
        return (int) rows[(index << ROW_SHIFT) + LENGTH_AND_PORT];
    }

    /** High half of the address of who sent it, or whom it goes to. */
    public long peerHigh(int index) {
        return rows[(index << ROW_SHIFT) + PEER_HIGH];
    }

    /** Low half of the address of who sent it, or whom it goes to. */
    public long peerLow(int index) {
        return rows[(index << ROW_SHIFT) + PEER_LOW];
    }

    /** UDP port number of the peer. */
    public int peerPort(int index) {
        return (int) (rows[(index << ROW_SHIFT) + LENGTH_AND_PORT] >>> 32);
    }

    /** High half of our address that it was sent to; known only of ports bound to every address, else 0. */
    public long localHigh(int index) {
        return rows[(index << ROW_SHIFT) + LOCAL_HIGH];
    }

    /** Low half of our address that it was sent to; known only of ports bound to every address, else 0. */
    public long localLow(int index) {
        return rows[(index << ROW_SHIFT) + LOCAL_LOW];
    }

    /** Whether one more packet fits. */
    public boolean hasRoom() {
        return count < capacity && next <= roomOffsetMax;
    }

    /** Offset of the room for the next packet, {@link #roomBytes} long; {@link #NO_ROOM} if the burst is full. */
    public long room() {
        return hasRoom() ? next : NO_ROOM;
    }

    /** Bytes that a packet appended here may have. */
    public int roomBytes() {
        return roomBytes;
    }

    /**
     * Makes the first bytes of the room a packet.
     *
     * @param length bytes, 0 to {@link #roomBytes}
     * @param peerPort UDP port number that it goes to
     * @param localHigh own address that it shall leave from, as it came with the question; zeros let the port choose
     * @throws IllegalStateException if the burst is full
     * @throws IllegalArgumentException if it is too long
     */
    public void append(int length, long peerHigh, long peerLow, int peerPort, long localHigh, long localLow) {
        if (length < 0 || length > roomBytes || !hasRoom()) {
            throw refused(length);
        }
        put(next, length, peerHigh, peerLow, peerPort);
        local(localHigh, localLow);
        next += length;
        count++;
    }

    /** As above, from whichever of our addresses leads to the peer. */
    public void append(int length, long peerHigh, long peerLow, int peerPort) {
        append(length, peerHigh, peerLow, peerPort, 0, 0);
    }

    /** As above, as answer to a packet: to where it came from, from where it had been sent to. */
    public void append(int length, Burst question, int index) {
        append(
                length,
                question.peerHigh(index),
                question.peerLow(index),
                question.peerPort(index),
                question.localHigh(index),
                question.localLow(index));
    }

    /** Forgets all packets. */
    public void clear() {
        count = 0;
        next = 0;
    }

    /** Fills the row behind the last; {@link #add} makes it count. */
    void put(long offset, int length, long peerHigh, long peerLow, int peerPort) {
        int row = count << ROW_SHIFT;
        rows[row + OFFSET] = offset;
        rows[row + LENGTH_AND_PORT] = (long) peerPort << 32 | length;
        rows[row + PEER_HIGH] = peerHigh;
        rows[row + PEER_LOW] = peerLow;
    }

    /** Fills the own address of the row behind the last. */
    void local(long high, long low) {
        int row = count << ROW_SHIFT;
        rows[row + LOCAL_HIGH] = high;
        rows[row + LOCAL_LOW] = low;
    }

    /** Counts the row that was filled. */
    void add() {
        count++;
    }

    /** Whether a packet continues a train: same peer and own address, right behind the one before, and not longer. */
    boolean follows(int index, int first, int length) {
        int row = index << ROW_SHIFT;
        int head = first << ROW_SHIFT;
        int own = length(index);
        return own != 0
                && own <= length
                && rows[row + OFFSET] == rows[row - (1 << ROW_SHIFT) + OFFSET] + length
                && rows[row + LENGTH_AND_PORT] >>> 32 == rows[head + LENGTH_AND_PORT] >>> 32
                && rows[row + PEER_LOW] == rows[head + PEER_LOW]
                && rows[row + PEER_HIGH] == rows[head + PEER_HIGH]
                && rows[row + LOCAL_LOW] == rows[head + LOCAL_LOW]
                && rows[row + LOCAL_HIGH] == rows[head + LOCAL_HIGH];
    }

    /** Forgets the first packets; the others move to the front. Their bytes stay where they are. */
    void removeFirst(int number) {
        count -= number;
        if (count == 0) {
            next = 0;
        } else {
            System.arraycopy(rows, number << ROW_SHIFT, rows, 0, count << ROW_SHIFT);
        }
    }

    private RuntimeException refused(int length) {
        return length < 0 || length > roomBytes
                ? new IllegalArgumentException("a packet of " + length + " bytes; the room has " + roomBytes)
                : new IllegalStateException("the burst is full: " + count + " packets of " + capacity
                        + "; look at hasRoom() and send first");
    }
}
