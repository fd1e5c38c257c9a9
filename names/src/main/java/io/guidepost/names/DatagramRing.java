package io.guidepost.names;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A bounded FIFO of datagrams with their addresses. Messages are copied, as a datagram's memory belongs to the back
 * end; their number and bytes are bounded. The ring allocates with the first message and never again. Not thread-safe.
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
     * Creates an empty ring.
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

    /** Returns whether the ring is empty. */
    public boolean isEmpty() {
        return count == 0;
    }

    /**
     * Appends a copy of a message.
     *
     * @param exchange its peer and local address are stored with the message
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

    /** Returns the offset where a message of a length fits, negative if nowhere. */
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

    /** Returns the segment of the messages. */
    public MemorySegment segment() {
        return bytes;
    }

    /** Returns the offset of the first message; the ring must not be empty. */
    public int offset() {
        return starts[head];
    }

    /** Returns the bytes of the first message; the ring must not be empty. */
    public int length() {
        return lengths[head];
    }

    /** Sets an exchange's addresses to those of the first message; the ring must not be empty. */
    public void address(Exchange exchange) {
        exchange.peer(addresses[ADDRESS_LONGS * head], addresses[ADDRESS_LONGS * head + 1], peerPorts[head]);
        exchange.local(addresses[ADDRESS_LONGS * head + 2], addresses[ADDRESS_LONGS * head + 3], localPorts[head]);
    }

    /** Removes the first message, whose bytes stay until the next is added; the ring must not be empty. */
    public void remove() {
        head = head + 1 & mask;
        count--;
    }
}
