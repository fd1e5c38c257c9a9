package io.guidepost.handle.door;

import io.guidepost.handle.message.Packets;
import io.guidepost.names.Exchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Messages that take several packets, and leave as the worker has room for packets. First in, first out. Allocates
 * nothing after it is made. Not thread-safe.
 *
 * <pre>
 *  bytes   |......|leaving|next|...|last|......|     a ring; a message that does not fit before the end begins at 0 again
 *                 ^ starts[head]        ^ end
 * </pre>
 */
final class Outgoing {
    /** Bytes that may wait: eight of the longest messages, or two thousand of a few packets. */
    static final int BYTES_MAX = 2 << 20;

    /** Messages that may wait. */
    private static final int MESSAGES_MAX = 2048;

    private static final int MASK = MESSAGES_MAX - 1;

    /** Peer high and low, local high and low. */
    private static final int ADDRESS_LONGS = 4;

    private final MemorySegment bytes = Arena.ofAuto().allocate(BYTES_MAX, Long.BYTES);
    private final int[] starts = new int[MESSAGES_MAX];
    private final int[] lengths = new int[MESSAGES_MAX];
    private final int[] peerPorts = new int[MESSAGES_MAX];
    private final int[] localPorts = new int[MESSAGES_MAX];
    private final long[] addresses = new long[ADDRESS_LONGS * MESSAGES_MAX];
    private int head;
    private int count;
    private int end;

    /** Number of the packet of the first message that leaves next. */
    private int packet;

    static {
        assert Integer.bitCount(MESSAGES_MAX) == 1;
    }

    /** Whether nothing waits. */
    boolean isEmpty() {
        return count == 0;
    }

    /**
     * Copies a message.
     *
     * @param to whose peer and local address it goes to and comes from
     * @return false if there is no room for it
     */
    boolean add(Exchange to, MemorySegment from, long offset, int length) {
        int start = start(length);
        if (count == MESSAGES_MAX || start < 0) {
            return false;
        }
        MemorySegment.copy(from, offset, bytes, start, length);
        int tail = head + count & MASK;
        starts[tail] = start;
        lengths[tail] = length;
        peerPorts[tail] = to.peerPort();
        localPorts[tail] = to.localPort();
        addresses[ADDRESS_LONGS * tail] = to.peerHigh();
        addresses[ADDRESS_LONGS * tail + 1] = to.peerLow();
        addresses[ADDRESS_LONGS * tail + 2] = to.localHigh();
        addresses[ADDRESS_LONGS * tail + 3] = to.localLow();
        end = start + length;
        count++;
        return true;
    }

    private int start(int length) {
        if (count == 0) {
            return length <= BYTES_MAX ? 0 : -1;
        }
        int first = starts[head];
        if (end > first) {
            return end + length <= BYTES_MAX ? end : length <= first ? 0 : -1;
        }
        return end + length <= first ? end : -1;
    }

    /** Writes the next packet into the room of an exchange and addresses it; false if none waits. */
    boolean next(Exchange exchange) {
        if (count == 0) {
            return false;
        }
        exchange.peer(addresses[ADDRESS_LONGS * head], addresses[ADDRESS_LONGS * head + 1], peerPorts[head]);
        exchange.local(addresses[ADDRESS_LONGS * head + 2], addresses[ADDRESS_LONGS * head + 3], localPorts[head]);
        exchange.answer(Packets.write(
                bytes, starts[head], lengths[head], packet, exchange.room(), exchange.roomOffset()));
        packet++;
        if (packet == Packets.count(lengths[head])) {
            packet = 0;
            head = head + 1 & MASK;
            count--;
        }
        return true;
    }
}
