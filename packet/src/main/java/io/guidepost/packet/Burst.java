package io.guidepost.packet;

import io.guidepost.base.Memory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A burst: up to {@link #capacity} packets that are received or sent together, as a table with one row for each packet
 * over one memory segment. There is no object per packet. A queue makes the burst and keeps it; it belongs to one
 * thread at a time.
 *
 * <p>A row of a datagram has the peer's address. A row of a frame ({@link PortLayer#FRAME}) has its piece of {@link
 * PacketMemory}; offsets are absolute addresses and the segment is {@link Memory#ALL}. A burst owns its frames until
 * they are {@linkplain #take taken} into another burst or sent; the rest is freed when the burst is cleared or received
 * into.
 *
 * <p>Addresses are 128 bits in two halves, IPv4 in its mapped form ({@code ::ffff:a.b.c.d}), see {@code Addresses}.
 *
 * <pre>
 *  row, 8 longs = one cache line of 64 bytes
 *  0 offset in the segment   1 length (low 32) and peer's port (high 32)   2, 3 peer's address
 *  1 of frames: length (low 32) and what is known of the transport's checksum (high 32)
 *  2 of frames that were received: when, nanoseconds since 1970
 *  4, 5 own address, 0 if not known   6 the piece of packet memory (handle)   7 mark, free for applications
 * </pre>
 *
 * <p>Why an array of the heap and not memory off it? Only this class reads the table; an array element costs one
 * comparison, an access to a segment three.
 */
public final class Burst {
    /** Result of {@link #room} when there is none. */
    public static final long NO_ROOM = -1;

    private static final int ROW_SHIFT = 3;
    private static final int OFFSET = 0;
    private static final int LENGTH_AND_PORT = 1;
    private static final int PEER_HIGH = 2;
    private static final int PEER_LOW = 3;
    private static final int LOCAL_HIGH = 4;
    private static final int LOCAL_LOW = 5;
    private static final int HANDLE = 6;
    private static final int MARK = 7;

    private final long[] rows;
    private final MemorySegment segment;
    private final int capacity;
    private final int roomBytes;
    private final long roomOffsetMax;
    private final @Nullable PacketMemory memory;
    private final @Nullable Object pool;
    private final int reserveBytes;
    private int count;
    private boolean whole;
    private long next;
    private long spare = PacketMemory.NONE;

    /**
     * Creates a burst over a back end's memory. Outgoing packets are packed from offset 0, so that equal responses to
     * one peer are contiguous for segmentation offload.
     *
     * @param segment holds the bytes
     * @param capacity packets at most
     * @param roomBytes bytes that each packet appended here may have
     */
    public Burst(MemorySegment segment, int capacity, int roomBytes) {
        this.segment = segment;
        this.capacity = capacity;
        this.roomBytes = roomBytes;
        this.roomOffsetMax = segment.byteSize() - roomBytes;
        this.rows = new long[capacity << ROW_SHIFT];
        this.memory = null;
        this.pool = null;
        this.reserveBytes = 0;
    }

    private Burst(PacketMemory memory, int capacity, int reserveBytes, int roomBytesMax) {
        this.segment = Memory.ALL;
        this.capacity = capacity;
        this.roomBytes = Math.min(memory.roomBytes() - reserveBytes, roomBytesMax);
        this.roomOffsetMax = Long.MAX_VALUE;
        this.rows = new long[capacity << ROW_SHIFT];
        this.memory = memory;
        this.pool = memory.pool();
        this.reserveBytes = reserveBytes;
    }

    /**
     * Returns an empty burst of frames; for back ends.
     *
     * @param memory view of the burst's thread
     * @param capacity frames at most
     * @param reserveBytes bytes left free in front of a new packet, for headers of lower layers
     */
    public static Burst ofFrames(PacketMemory memory, int capacity, int reserveBytes) {
        return new Burst(memory, capacity, reserveBytes, Integer.MAX_VALUE);
    }

    /** Returns an empty burst of frames with a bound on the bytes behind the reserve, such as a link's MTU. */
    public static Burst ofFrames(PacketMemory memory, int capacity, int reserveBytes, int roomBytesMax) {
        return new Burst(memory, capacity, reserveBytes, roomBytesMax);
    }

    /**
     * Returns the view of packet memory of its frames; for back ends.
     *
     * @throws IllegalStateException if it is a burst of datagrams
     */
    public PacketMemory memory() {
        PacketMemory own = memory;
        if (own == null) {
            throw new IllegalStateException("only bursts of frames have packet memory");
        }
        return own;
    }

    /** Returns the largest number of packets. */
    public int capacity() {
        return capacity;
    }

    /** Returns the current number of packets, which are numbered from 0. */
    public int count() {
        return count;
    }

    /** Returns the segment of all offsets. */
    public MemorySegment segment() {
        return segment;
    }

    /** Returns the offset of a packet in {@link #segment}: relative or an absolute address, as of {@link #room}. */
    public long offset(int index) {
        return rows[(index << ROW_SHIFT) + OFFSET];
    }

    /** Returns the bytes of a packet, 0 or more. */
    public int length(int index) {
        return (int) rows[(index << ROW_SHIFT) + LENGTH_AND_PORT];
    }

    /** Returns the high half of the peer's address. */
    public long peerHigh(int index) {
        return rows[(index << ROW_SHIFT) + PEER_HIGH];
    }

    /** Returns the low half of the peer's address. */
    public long peerLow(int index) {
        return rows[(index << ROW_SHIFT) + PEER_LOW];
    }

    /** Returns the UDP port number of the peer. */
    public int peerPort(int index) {
        return (int) (rows[(index << ROW_SHIFT) + LENGTH_AND_PORT] >>> 32);
    }

    /** Returns the high half of the local address; known only on ports bound to every address, else 0. */
    public long localHigh(int index) {
        return rows[(index << ROW_SHIFT) + LOCAL_HIGH];
    }

    /** Returns the low half of the local address; known only on ports bound to every address, else 0. */
    public long localLow(int index) {
        return rows[(index << ROW_SHIFT) + LOCAL_LOW];
    }

    /** Returns whether one more packet fits and has memory. */
    public boolean hasRoom() {
        return count < capacity && (memory == null ? next <= roomOffsetMax : hasSpare(memory));
    }

    /** Returns whether the burst is full. */
    public boolean isFull() {
        return count == capacity;
    }

    /**
     * Returns the offset in {@link #segment} of the next packet's room of {@link #roomBytes}; {@link #NO_ROOM} if the burst is
     * full. It is relative on UDP sockets, and an absolute address on all ports of frames, datagrams of a host there included.
     */
    public long room() {
        if (!hasRoom()) {
            return NO_ROOM;
        }
        return memory == null ? next : memory.address(spare) + reserveBytes;
    }

    private boolean hasSpare(PacketMemory from) {
        if (spare == PacketMemory.NONE) {
            spare = from.take();
        }
        return spare != PacketMemory.NONE;
    }

    /** Returns the largest size of an appended packet. */
    public int roomBytes() {
        return roomBytes;
    }

    /**
     * Appends the first bytes of the room as a packet.
     *
     * @param length bytes, 0 to {@link #roomBytes}
     * @param peerPort destination port number
     * @param localHigh source address, as in the request's row; zeros let the port choose
     * @throws IllegalStateException if the burst is full
     * @throws IllegalArgumentException if it is too long
     */
    public void append(int length, long peerHigh, long peerLow, int peerPort, long localHigh, long localLow) {
        if (length < 0 || length > roomBytes || !hasRoom()) {
            throw refused(length);
        }
        if (memory == null) {
            put(next, length, peerHigh, peerLow, peerPort);
            next += length;
        } else {
            put(memory.address(spare) + reserveBytes, length, peerHigh, peerLow, peerPort);
            rows[(count << ROW_SHIFT) + HANDLE] = spare;
            rows[(count << ROW_SHIFT) + MARK] = 0;
            spare = PacketMemory.NONE;
        }
        local(localHigh, localLow);
        count++;
        whole = false;
    }

    /** Appends the first bytes of the room as a frame; see {@link #append(int, long, long, int)} for datagrams. */
    public void append(int length) {
        append(length, 0, 0, 0, 0, 0);
    }

    /**
     * Moves a frame from another burst, or to the end of this one: without a copy if both share a pool. The other burst
     * keeps its numbering but no longer owns the frame. Bytes, mark, time and checksum state move with it; peer and
     * local address do not.
     *
     * @return false if there is no room, or the frame is too long for this memory: it stays where it is
     * @throws IllegalStateException if it was already taken
     */
    public boolean take(Burst from, int index) {
        if (count == capacity) {
            return false;
        }
        int row = index << ROW_SHIFT;
        if (from.rows[row + HANDLE] == PacketMemory.NONE) {
            throw takenBefore(index);
        }
        if (memory == null || !hasPoolOf(from)) {
            return copy(from, index);
        }
        move(from.rows, row, rows, count << ROW_SHIFT);
        from.rows[row + HANDLE] = PacketMemory.NONE;
        from.whole = false;
        count++;
        whole = false;
        return true;
    }

    /**
     * Moves several frames from another burst in the given order; see {@link #take(Burst, int)}.
     *
     * @param indices numbers of the frames, from {@code first} on
     * @return number of frames taken: less if there is no room, or the next is too long for this memory
     * @throws IllegalStateException if the next was already taken
     */
    public int take(Burst from, int[] indices, int first, int number) {
        if (memory == null || !hasPoolOf(from)) {
            int taken = 0;
            while (taken < number && take(from, indices[first + taken])) {
                taken++;
            }
            return taken;
        }
        int taken = Math.min(number, capacity - count);
        for (int i = 0; i < taken; i++) {
            int row = indices[first + i] << ROW_SHIFT;
            if (from.rows[row + HANDLE] == PacketMemory.NONE) {
                moved(from, i);
                throw takenBefore(indices[first + i]);
            }
            move(from.rows, row, rows, count + i << ROW_SHIFT);
            from.rows[row + HANDLE] = PacketMemory.NONE;
        }
        moved(from, taken);
        return taken;
    }

    private void moved(Burst from, int number) {
        from.whole = false;
        count += number;
        whole = false;
    }

    private static IllegalStateException takenBefore(int index) {
        return new IllegalStateException("packet " + index + " was taken out of its burst before");
    }

    /** Copies a frame's row with a few plain moves; a bulk copy costs several times that. */
    private static void move(long[] from, int row, long[] to, int at) {
        to[at + OFFSET] = from[row + OFFSET];
        to[at + LENGTH_AND_PORT] = from[row + LENGTH_AND_PORT];
        to[at + HANDLE] = from[row + HANDLE];
        to[at + MARK] = from[row + MARK];
        to[at + PEER_HIGH] = from[row + PEER_HIGH];
    }

    @SuppressWarnings("ReferenceEquality") // Pools are compared by identity.
    private boolean hasPoolOf(Burst other) {
        return pool == other.pool;
    }

    /** Appends a copy of a packet of another burst; false if there is no room, or it is too long. */
    public boolean copy(Burst from, int index) {
        int length = from.length(index);
        if (length > roomBytes || !hasRoom()) {
            return false;
        }
        MemorySegment.copy(from.segment, from.offset(index), segment, room(), length);
        append(length, from, index);
        return true;
    }

    /**
     * Reuses the piece of a frame that has been read as the next packet's room, if this burst has none and shares the
     * memory; else does nothing. So a response overwrites its request in a warm cache line, without an allocation.
     */
    public void reuse(Burst from, int index) {
        int row = (index << ROW_SHIFT) + HANDLE;
        PacketMemory own = memory;
        if (own != null && spare == PacketMemory.NONE && from.rows[row] != PacketMemory.NONE && hasPoolOf(from)) {
            spare = from.rows[row];
            own.renew(spare);
            from.rows[row] = PacketMemory.NONE;
            from.whole = false;
        }
    }

    /** Returns whether a frame was {@linkplain #take taken}. */
    public boolean isTaken(int index) {
        return rows[(index << ROW_SHIFT) + HANDLE] == PacketMemory.NONE;
    }

    /**
     * Moves the bounds of a frame in its piece, to push or strip a header.
     *
     * @throws IllegalArgumentException if that is outside of the piece
     */
    public void reshape(int index, long offset, int length) {
        int row = index << ROW_SHIFT;
        PacketMemory own = memory;
        if (own == null) {
            throw new IllegalStateException("only frames have a piece of memory of their own");
        }
        requireInside(own, rows[row + HANDLE], offset, length);
        int checksum = TransportChecksum.moved(checksum(index), rows[row + OFFSET] - offset, length);
        rows[row + OFFSET] = offset;
        rows[row + LENGTH_AND_PORT] = (long) checksum << 32 | length;
    }

    private static void requireInside(PacketMemory own, long handle, long offset, int length) {
        long start = own.address(handle);
        if (length < 0 || offset < start - own.headroomBytes() || offset + length > start + own.roomBytes()) {
            throw new IllegalArgumentException("a frame of " + length + " bytes from " + (offset - start)
                    + " does not fit its piece: " + -own.headroomBytes() + " to " + own.roomBytes());
        }
    }

    /** Returns the state of the transport checksum, see {@link TransportChecksum}. */
    public int checksum(int index) {
        return (int) (rows[(index << ROW_SHIFT) + LENGTH_AND_PORT] >>> 32);
    }

    /**
     * Sets the state of the transport checksum. Code that completes a partial checksum must set it.
     *
     * @throws IllegalArgumentException if a partial checksum's field is outside of the frame
     */
    public void checksum(int index, int state) {
        int length = length(index);
        if (!TransportChecksum.fits(state, length)) {
            throw new IllegalArgumentException("a checksum from " + TransportChecksum.start(state) + ", "
                    + TransportChecksum.field(state) + " behind it, is not in a frame of " + length + " bytes");
        }
        rows[(index << ROW_SHIFT) + LENGTH_AND_PORT] = (long) state << 32 | length;
    }

    /** Returns length and checksum state as they stand in the row, for rings. */
    public long lengthAndChecksum(int index) {
        return rows[(index << ROW_SHIFT) + LENGTH_AND_PORT];
    }

    /** Adds a frame of another burst. The burst must not be full. */
    public void handedOn(long handle, long address, long lengthAndChecksum, long mark) {
        int row = count << ROW_SHIFT;
        rows[row + OFFSET] = address;
        rows[row + LENGTH_AND_PORT] = lengthAndChecksum;
        rows[row + HANDLE] = handle;
        rows[row + MARK] = mark;
        rows[row + PEER_HIGH] = 0;
        count++;
        whole = false;
    }

    /** Returns the application's mark of a frame; 0 when it is received. */
    public long mark(int index) {
        return rows[(index << ROW_SHIFT) + MARK];
    }

    /** Marks a frame; the mark moves with it through bursts and rings of this process. */
    public void mark(int index, long value) {
        rows[(index << ROW_SHIFT) + MARK] = value;
    }

    /** Returns the piece of a frame; {@link PacketMemory#NONE} if it was taken. For back ends. */
    public long handle(int index) {
        return rows[(index << ROW_SHIFT) + HANDLE];
    }

    /** Adds a received frame; for back ends, in {@link RxQueue#receive}. The burst must not be full. */
    public void received(long handle, long address, int length) {
        received(count, handle, address, length);
        count++;
        whole = false;
    }

    /** Fills a row of an empty burst; {@link #received(int)} publishes all of them. For back ends with very short loops. */
    public void received(int index, long handle, long address, int length) {
        int row = index << ROW_SHIFT;
        rows[row + OFFSET] = address;
        rows[row + LENGTH_AND_PORT] = length;
        rows[row + HANDLE] = handle;
        rows[row + MARK] = 0;
        rows[row + PEER_HIGH] = 0;
    }

    /** Publishes the first rows, filled in an empty burst, and makes the burst {@linkplain #isWhole whole}. */
    public void received(int number) {
        count = number;
        whole = true;
    }

    /**
     * Returns whether the burst has exactly the frames of the last {@link #received(int)} in order. For back ends that
     * free whole bursts at once.
     */
    public boolean isWhole() {
        return whole;
    }

    /** Returns the receive time in nanoseconds since 1970; 0 if the port has none, or the frame went through a ring. */
    public long timeNanos(int index) {
        return rows[(index << ROW_SHIFT) + PEER_HIGH];
    }

    /** Sets the receive time; for back ends with hardware or file timestamps, and for code that makes frames. */
    public void timeNanos(int index, long nanos) {
        rows[(index << ROW_SHIFT) + PEER_HIGH] = nanos;
    }

    /**
     * Turns a datagram into a frame after headers were put around it; for hosts above ports of frames, before sending.
     * The counterpart of {@link #datagram}.
     *
     * @param offset of the frame, inside of its piece
     * @param length of the frame in bytes
     * @param checksum state of the transport checksum, see {@link TransportChecksum}
     * @param mark of the frame
     * @throws IllegalArgumentException if that is outside of the piece
     */
    public void enclosed(int index, long offset, int length, int checksum, long mark) {
        int row = index << ROW_SHIFT;
        requireInside(memory(), rows[row + HANDLE], offset, length);
        rows[row + OFFSET] = offset;
        rows[row + LENGTH_AND_PORT] = (long) checksum << 32 | length;
        rows[row + MARK] = mark;
    }

    /**
     * Turns a frame into the datagram in it; for hosts above ports of frames, in {@link RxQueue#receive}.
     *
     * @param offset of the payload, inside of the frame
     * @param length of the payload in bytes
     * @param localHigh destination address of the datagram
     */
    public void datagram(
            int index, long offset, int length, long peerHigh, long peerLow, int peerPort, long localHigh, long localLow) {
        int row = index << ROW_SHIFT;
        rows[row + OFFSET] = offset;
        rows[row + LENGTH_AND_PORT] = (long) peerPort << 32 | length;
        rows[row + PEER_HIGH] = peerHigh;
        rows[row + PEER_LOW] = peerLow;
        rows[row + LOCAL_HIGH] = localHigh;
        rows[row + LOCAL_LOW] = localLow;
    }

    /** Removes one frame and frees it unless it was taken; later frames move up. */
    public void remove(int index) {
        long handle = handle(index);
        if (handle != PacketMemory.NONE) {
            memory().free(handle);
        }
        count--;
        whole = false;
        System.arraycopy(rows, (index + 1) << ROW_SHIFT, rows, index << ROW_SHIFT, (count - index) << ROW_SHIFT);
    }

    /** Removes the first frames, which the device now owns; for back ends, in {@link TxQueue#send}. */
    public void sent(int number) {
        removeFirst(number);
    }

    /** Appends a packet with the source address chosen by routing. */
    public void append(int length, long peerHigh, long peerLow, int peerPort) {
        append(length, peerHigh, peerLow, peerPort, 0, 0);
    }

    /** Appends a response to a packet: to its source, from its destination. */
    public void append(int length, Burst question, int index) {
        append(
                length,
                question.peerHigh(index),
                question.peerLow(index),
                question.peerPort(index),
                question.localHigh(index),
                question.localLow(index));
    }

    /** Removes all packets and frees the frames that it owns. */
    public void clear() {
        if (memory != null && count > 0) {
            memory.free(this);
        }
        count = 0;
        next = 0;
        whole = false;
    }

    /** Removes all packets and frees also the piece prepared for the next; when the queue is closed. */
    public void release() {
        clear();
        if (memory != null && spare != PacketMemory.NONE) {
            memory.free(spare);
            spare = PacketMemory.NONE;
        }
    }

    /** Fills the row behind the last; {@link #add} publishes it. */
    public void put(long offset, int length, long peerHigh, long peerLow, int peerPort) {
        int row = count << ROW_SHIFT;
        rows[row + OFFSET] = offset;
        rows[row + LENGTH_AND_PORT] = (long) peerPort << 32 | length;
        rows[row + PEER_HIGH] = peerHigh;
        rows[row + PEER_LOW] = peerLow;
    }

    /** Sets the local address of the row behind the last. */
    public void local(long high, long low) {
        int row = count << ROW_SHIFT;
        rows[row + LOCAL_HIGH] = high;
        rows[row + LOCAL_LOW] = low;
    }

    /** Publishes the filled row. */
    public void add() {
        count++;
    }

    /** Returns whether a packet can join a GSO segment: same peer and local address, contiguous, and not longer. */
    public boolean follows(int index, int first, int length) {
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

    /** Removes the first packets; the others move to the front. Their bytes stay where they are. */
    public void removeFirst(int number) {
        count -= number;
        whole = false;
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
