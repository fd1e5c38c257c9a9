package io.guidepost.names;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Messages that wait in a door with the addresses they came from, or go to. Copied, as a datagram's memory belongs to
 * whoever received it; bounded in number and bytes. First in, first out. Takes its memory with the first message, and
 * allocates nothing after that. Not thread-safe.
 *
 * <pre>
 *  bytes   |......|first waiting|next|...|last waiting|......|     a ring; a message that does not fit before the end
 *                 ^ starts[head]                      ^ end        begins at 0 again
 * </pre>
 */
public final class DatagramRing {
    /** Peer high and low, local high and low. */
    private static final int ADDRESS_LONGS = 4;

    private final int bytesMax;
    private final int mask;
    private final int[] starts;
    private final int[] lengths;
    private final int[] peerPorts;
    private final int[] localPorts;
    private final long[] addresses;
    private MemorySegment bytes = MemorySegment.NULL;
    private int head;
    private int count;
    private int end;

    /**
     * Empty.
     *
     * @param messagesMax messages that may wait, a power of two
     * @param bytesMax bytes of them, at least 1
     */
    public DatagramRing(int messagesMax, int bytesMax) {
        if (Integer.bitCount(messagesMax) != 1) {
            throw new IllegalArgumentException("the number of messages is a power of two, not " + messagesMax);
        }
        this.bytesMax = bytesMax;
        this.mask = messagesMax - 1;
        this.starts = new int[messagesMax];
        this.lengths = new int[messagesMax];
        this.peerPorts = new int[messagesMax];
        this.localPorts = new int[messagesMax];
        this.addresses = new long[ADDRESS_LONGS * messagesMax];
    }

    /** Whether nothing waits. */
    public boolean isEmpty() {
        return count == 0;
    }

    /**
     * Copies a message behind the others.
     *
     * @param exchange whose peer and local address are kept with it
     * @return false if there is no room for it
     */
    public boolean add(Exchange exchange, MemorySegment from, long offset, int length) {
        int start = start(length);
        if (count > mask || start < 0) {
            return false;
        }
        if (bytes.byteSize() == 0) {
            bytes = Arena.ofAuto().allocate(bytesMax, Long.BYTES);
        }
        MemorySegment.copy(from, offset, bytes, start, length);
        int tail = head + count & mask;
        starts[tail] = start;
        lengths[tail] = length;
        peerPorts[tail] = exchange.peerPort();
        localPorts[tail] = exchange.localPort();
        addresses[ADDRESS_LONGS * tail] = exchange.peerHigh();
        addresses[ADDRESS_LONGS * tail + 1] = exchange.peerLow();
        addresses[ADDRESS_LONGS * tail + 2] = exchange.localHigh();
        addresses[ADDRESS_LONGS * tail + 3] = exchange.localLow();
        end = start + length;
        count++;
        return true;
    }

    /** Where a message of a length can be put, or less than 0 if nowhere. */
    private int start(int length) {
        if (count == 0) {
            return length <= bytesMax ? 0 : -1;
        }
        int first = starts[head];
        if (end > first) {
            return end + length <= bytesMax ? end : length <= first ? 0 : -1;
        }
        return end + length <= first ? end : -1;
    }

    /** Where the messages are. */
    public MemorySegment segment() {
        return bytes;
    }

    /** Where the first message begins; one must wait. */
    public int offset() {
        return starts[head];
    }

    /** Bytes of the first message; one must wait. */
    public int length() {
        return lengths[head];
    }

    /** Gives an exchange the addresses of the first message; one must wait. */
    public void address(Exchange exchange) {
        exchange.peer(addresses[ADDRESS_LONGS * head], addresses[ADDRESS_LONGS * head + 1], peerPorts[head]);
        exchange.local(addresses[ADDRESS_LONGS * head + 2], addresses[ADDRESS_LONGS * head + 3], localPorts[head]);
    }

    /** Forgets the first message, whose bytes stay until another is added; one must wait. */
    public void remove() {
        head = head + 1 & mask;
        count--;
    }
}
