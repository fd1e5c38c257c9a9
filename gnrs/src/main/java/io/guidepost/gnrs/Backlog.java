package io.guidepost.gnrs;

import io.guidepost.names.Exchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Messages that wait for their turn, such as those that came behind another one in the same datagram: each is answered
 * by a datagram of its own. Copied, as the datagram's memory belongs to whoever received it; bounded in number and
 * bytes. First in, first out. One thread.
 *
 * <pre>
 *  bytes   |......|first waiting|next|...|last waiting|......|     a ring; a message that does not fit before the end
 *                 ^ starts[head]                      ^ end        begins at 0 again
 * </pre>
 */
final class Backlog {
    private static final int MESSAGES_MAX = Limits.BACKLOG_MESSAGES_MAX;
    private static final int BYTES_MAX = Limits.BACKLOG_BYTES_MAX;
    private static final int MASK = MESSAGES_MAX - 1;

    /** Peer high and low, local high and low. */
    private static final int ADDRESS_LONGS = 4;

    private MemorySegment bytes = MemorySegment.NULL;
    private final int[] starts = new int[MESSAGES_MAX];
    private final int[] lengths = new int[MESSAGES_MAX];
    private final int[] peerPorts = new int[MESSAGES_MAX];
    private final int[] localPorts = new int[MESSAGES_MAX];
    private final long[] addresses = new long[ADDRESS_LONGS * MESSAGES_MAX];
    private int head;
    private int count;
    private int end;

    static {
        assert Integer.bitCount(MESSAGES_MAX) == 1;
    }

    /** Whether nothing waits. */
    boolean isEmpty() {
        return count == 0;
    }

    /** Copies a message; false if there is no room for it. */
    boolean add(Exchange exchange, long offset, int length) {
        int start = start(length);
        if (count == MESSAGES_MAX || start < 0) {
            return false;
        }
        if (bytes.byteSize() == 0) {
            bytes = Arena.ofAuto().allocate(BYTES_MAX);
        }
        MemorySegment.copy(exchange.question(), offset, bytes, start, length);
        int tail = head + count & MASK;
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
            return length <= BYTES_MAX ? 0 : -1;
        }
        int first = starts[head];
        if (end > first) {
            return end + length <= BYTES_MAX ? end : length <= first ? 0 : -1;
        }
        return end + length <= first ? end : -1;
    }

    /** Points an exchange at the oldest message, or returns false if there is none. */
    boolean next(Exchange exchange, long nowMillis) {
        if (count == 0) {
            return false;
        }
        exchange.question(bytes, starts[head], lengths[head], nowMillis);
        exchange.peer(addresses[ADDRESS_LONGS * head], addresses[ADDRESS_LONGS * head + 1], peerPorts[head]);
        exchange.local(addresses[ADDRESS_LONGS * head + 2], addresses[ADDRESS_LONGS * head + 3], localPorts[head]);
        head = head + 1 & MASK;
        count--;
        return true;
    }
}
