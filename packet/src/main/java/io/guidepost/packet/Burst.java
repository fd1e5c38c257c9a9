package io.guidepost.packet;

import io.guidepost.base.Memory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Up to {@link #capacity} packets that come or go together: a table with one row for each packet, over one memory
 * segment that holds their bytes. A burst is made by a queue, stays with it, and belongs to one thread at a time.
 *
 * <p>Of datagrams, a row has who sent them or whom they go to. Of frames ({@link PortLayer#FRAME}) it has the piece of
 * {@link PacketMemory} that they are in, offsets are absolute addresses and the segment is {@code Memory#ALL}. A burst owns
 * its frames until they are {@linkplain #take taken} into another burst or sent; what it still owns when it is cleared or
 * received into is given back.
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
    /** What {@link #room} gives when there is none. */
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
     * A burst over memory of a back end. Packets that leave are packed one behind the other from offset 0, so that a
     * train of equal answers to one peer is one piece of memory.
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
     * Returns an empty burst of frames; for back ends and those who build on them.
     *
     * @param memory view of the thread that will have the burst
     * @param capacity frames at most
     * @param reserveBytes bytes that the room of a new packet leaves free at its front, for headers of layers below
     */
    public static Burst ofFrames(PacketMemory memory, int capacity, int reserveBytes) {
        return new Burst(memory, capacity, reserveBytes, Integer.MAX_VALUE);
    }

    /** Returns the same, of frames that may have only so many bytes behind the reserve, as a link's MTU allows. */
    public static Burst ofFrames(PacketMemory memory, int capacity, int reserveBytes, int roomBytesMax) {
        return new Burst(memory, capacity, reserveBytes, roomBytesMax);
    }

    /**
     * Returns the packet memory of its frames, as its thread sees it; for those who build on back ends.
     *
     * @throws IllegalStateException if it is a burst of datagrams of the kernel
     */
    public PacketMemory memory() {
        PacketMemory own = memory;
        if (own == null) {
            throw new IllegalStateException("only bursts of frames have packet memory");
        }
        return own;
    }

    /** Returns the packets that it holds at most. */
    public int capacity() {
        return capacity;
    }

    /** Returns the packets that it holds now, numbered from 0. */
    public int count() {
        return count;
    }

    /** Returns the memory that all offsets refer to. */
    public MemorySegment segment() {
        return segment;
    }

    /** Returns where a packet's bytes begin in the segment. */
    public long offset(int index) {
        return rows[(index << ROW_SHIFT) + OFFSET];
    }

    /** Returns the bytes of a packet, 0 or more. */
    public int length(int index) {
        return (int) rows[(index << ROW_SHIFT) + LENGTH_AND_PORT];
    }

    /** Returns the high half of the address of who sent it, or whom it goes to. */
    public long peerHigh(int index) {
        return rows[(index << ROW_SHIFT) + PEER_HIGH];
    }

    /** Returns the low half of the address of who sent it, or whom it goes to. */
    public long peerLow(int index) {
        return rows[(index << ROW_SHIFT) + PEER_LOW];
    }

    /** UDP port number of the peer. */
    public int peerPort(int index) {
        return (int) (rows[(index << ROW_SHIFT) + LENGTH_AND_PORT] >>> 32);
    }

    /** Returns the high half of our address that it was sent to; known only of ports bound to every address, else 0. */
    public long localHigh(int index) {
        return rows[(index << ROW_SHIFT) + LOCAL_HIGH];
    }

    /** Returns the low half of our address that it was sent to; known only of ports bound to every address, else 0. */
    public long localLow(int index) {
        return rows[(index << ROW_SHIFT) + LOCAL_LOW];
    }

    /** Returns whether one more packet fits, and there is memory for it. */
    public boolean hasRoom() {
        return count < capacity && (memory == null ? next <= roomOffsetMax : hasSpare(memory));
    }

    /** Returns whether it has as many packets as it can have. */
    public boolean isFull() {
        return count == capacity;
    }

    /**
     * Returns the offset of the room for the next packet, {@link #roomBytes} long; {@link #NO_ROOM} if the burst is
     * full.
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

    /** Returns the bytes that a packet appended here may have. */
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

    /** Makes the first bytes of the room a frame; what {@link #append(int, long, long, int)} is for datagrams. */
    public void append(int length) {
        append(length, 0, 0, 0, 0, 0);
    }

    /**
     * Takes a frame out of another burst, or out of this one to its end: without a copy if both have the same pool of
     * memory. That burst keeps its numbers; the frame is just no longer its own. Bytes, mark, time and what is known of its
     * checksum go with it; peer and own address are of datagrams, and do not.
     *
     * @return false if there is no room, or the frame is too long for the memory here: it stays where it is
     * @throws IllegalStateException if it was taken already
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
     * Takes several frames out of another burst, in the order that is given; see {@link #take(Burst, int)}.
     *
     * @param indices numbers of the frames; so many from {@code first} on
     * @return how many it took: less if there is no room, or the next is too long for the memory here
     * @throws IllegalStateException if the next was taken already
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

    /** Copies what a row of a frame has; a few plain moves, where a copy of the row costs several times that. */
    private static void move(long[] from, int row, long[] to, int at) {
        to[at + OFFSET] = from[row + OFFSET];
        to[at + LENGTH_AND_PORT] = from[row + LENGTH_AND_PORT];
        to[at + HANDLE] = from[row + HANDLE];
        to[at + MARK] = from[row + MARK];
        to[at + PEER_HIGH] = from[row + PEER_HIGH];
    }

    @SuppressWarnings("ReferenceEquality") // It is the same pool, or another one.
    private boolean hasPoolOf(Burst other) {
        return pool == other.pool;
    }

    /** Copies a packet of another burst to the end of this one; false if there is no room, or it is too long. */
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
     * Makes the piece of a frame that nobody reads any more the room for the next packet here, if that has none and the
     * memory is the same; else nothing happens. So an answer is written where the question before it was, which is still in
     * the processor's cache, and no piece is taken or given back for it.
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

    /** Returns whether a frame was {@linkplain #take taken} out. */
    public boolean isTaken(int index) {
        return rows[(index << ROW_SHIFT) + HANDLE] == PacketMemory.NONE;
    }

    /**
     * Moves the bounds of a frame in its piece of memory, as to push a header or to cut one off.
     *
     * @throws IllegalArgumentException if that is not inside of the piece
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

    /** Returns what is known of the checksum of a frame's transport, as {@link TransportChecksum} says it. */
    public int checksum(int index) {
        return (int) (rows[(index << ROW_SHIFT) + LENGTH_AND_PORT] >>> 32);
    }

    /**
     * Says what is known of the checksum of a frame's transport. Who writes all of a checksum that was partial says that it
     * no longer is.
     *
     * @throws IllegalArgumentException if it is a partial one whose place is not in the frame
     */
    public void checksum(int index, int state) {
        int length = length(index);
        if (!TransportChecksum.fits(state, length)) {
            throw new IllegalArgumentException("a checksum from " + TransportChecksum.start(state) + ", "
                    + TransportChecksum.field(state) + " behind it, is not in a frame of " + length + " bytes");
        }
        rows[(index << ROW_SHIFT) + LENGTH_AND_PORT] = (long) state << 32 | length;
    }

    /** Returns the length and state of the checksum as they stand in the row, for what hands rows on. */
    public long lengthAndChecksum(int index) {
        return rows[(index << ROW_SHIFT) + LENGTH_AND_PORT];
    }

    /** Adds a frame that was in another burst. There must be place. */
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

    /** Returns what an application noted on a frame with {@link #mark(int, long)}; 0 when it is received. */
    public long mark(int index) {
        return rows[(index << ROW_SHIFT) + MARK];
    }

    /** Notes something on a frame, that goes with it through bursts and rings of this process. */
    public void mark(int index, long value) {
        rows[(index << ROW_SHIFT) + MARK] = value;
    }

    /** Returns the piece of memory that a frame is in; {@link PacketMemory#NONE} if it was taken. For back ends. */
    public long handle(int index) {
        return rows[(index << ROW_SHIFT) + HANDLE];
    }

    /** Adds a frame that has come; for back ends, in {@link RxQueue#receive}. There must be place. */
    public void received(long handle, long address, int length) {
        received(count, handle, address, length);
        count++;
        whole = false;
    }

    /**
     * Fills a row of a burst that is empty; {@link #received(int)} makes all of them count at once. For back ends whose
     * loop is so short that it shows.
     */
    public void received(int index, long handle, long address, int length) {
        int row = index << ROW_SHIFT;
        rows[row + OFFSET] = address;
        rows[row + LENGTH_AND_PORT] = length;
        rows[row + HANDLE] = handle;
        rows[row + MARK] = 0;
        rows[row + PEER_HIGH] = 0;
    }

    /** Makes the first rows count, that were filled in an empty burst, and the burst {@linkplain #isWhole whole}. */
    public void received(int number) {
        count = number;
        whole = true;
    }

    /**
     * Returns whether it still has just the frames of the last {@link #received(int)}, in their order: none was taken,
     * sent or added. For back ends that can give such frames back at once.
     */
    public boolean isWhole() {
        return whole;
    }

    /** When a frame was received, in nanoseconds since 1970; 0 if its port does not say, or it went through a ring. */
    public long timeNanos(int index) {
        return rows[(index << ROW_SHIFT) + PEER_HIGH];
    }

    /** Says when a frame was received; for back ends whose device or file tells it, and for whoever makes frames. */
    public void timeNanos(int index, long nanos) {
        rows[(index << ROW_SHIFT) + PEER_HIGH] = nanos;
    }

    /**
     * Makes a datagram the frame that headers around it have made; for hosts above ports of frames, before they send it. The
     * counterpart of {@link #datagram}.
     *
     * @param offset where the frame begins, inside of its piece of memory
     * @param length of the frame in bytes
     * @param checksum what is known of the checksum of its transport, see {@link TransportChecksum}
     * @param mark noted on it
     * @throws IllegalArgumentException if that is not inside of the piece
     */
    public void enclosed(int index, long offset, int length, int checksum, long mark) {
        int row = index << ROW_SHIFT;
        requireInside(memory(), rows[row + HANDLE], offset, length);
        rows[row + OFFSET] = offset;
        rows[row + LENGTH_AND_PORT] = (long) checksum << 32 | length;
        rows[row + MARK] = mark;
    }

    /**
     * Makes a frame the datagram that is in it; for hosts above ports of frames, in {@link RxQueue#receive}.
     *
     * @param offset where the payload begins, inside of the frame
     * @param length of the payload in bytes
     * @param localHigh own address that it was sent to
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

    /** Forgets one frame, and gives it back unless it was taken; those behind it move up. */
    public void remove(int index) {
        long handle = handle(index);
        if (handle != PacketMemory.NONE) {
            memory().free(handle);
        }
        count--;
        whole = false;
        System.arraycopy(rows, (index + 1) << ROW_SHIFT, rows, index << ROW_SHIFT, (count - index) << ROW_SHIFT);
    }

    /** Forgets the first frames, as they are the device's now; for back ends, in {@link TxQueue#send}. */
    public void sent(int number) {
        removeFirst(number);
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

    /** Forgets all packets; frames that it still has are given back. */
    public void clear() {
        if (memory != null && count > 0) {
            memory.free(this);
        }
        count = 0;
        next = 0;
        whole = false;
    }

    /** Forgets all packets, and gives back the piece that it had taken ahead too; for when its queue is closed. */
    public void release() {
        clear();
        if (memory != null && spare != PacketMemory.NONE) {
            memory.free(spare);
            spare = PacketMemory.NONE;
        }
    }

    /** Fills the row behind the last; {@link #add} makes it count. */
    public void put(long offset, int length, long peerHigh, long peerLow, int peerPort) {
        int row = count << ROW_SHIFT;
        rows[row + OFFSET] = offset;
        rows[row + LENGTH_AND_PORT] = (long) peerPort << 32 | length;
        rows[row + PEER_HIGH] = peerHigh;
        rows[row + PEER_LOW] = peerLow;
    }

    /** Fills the own address of the row behind the last. */
    public void local(long high, long low) {
        int row = count << ROW_SHIFT;
        rows[row + LOCAL_HIGH] = high;
        rows[row + LOCAL_LOW] = low;
    }

    /** Counts the row that was filled. */
    public void add() {
        count++;
    }

    /**
     * Returns whether a packet continues a train: same peer and own address, right behind the one before, and not
     * longer.
     */
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

    /** Forgets the first packets; the others move to the front. Their bytes stay where they are. */
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
