package io.guidepost.gnrs;

import io.guidepost.names.Exchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Messages that came behind another one in the same datagram and wait for their turn: each is answered by a datagram of
 * its own. Copied, as the datagram's memory belongs to whoever received it; bounded in number and bytes. One thread.
 */
final class Backlog {
    private static final int MESSAGES_MAX = Limits.BACKLOG_MESSAGES_MAX;

    /** Peer high and low, local high and low. */
    private static final int ADDRESS_LONGS = 4;

    private MemorySegment bytes = MemorySegment.NULL;
    private final int[] ends = new int[MESSAGES_MAX];
    private final int[] peerPorts = new int[MESSAGES_MAX];
    private final int[] localPorts = new int[MESSAGES_MAX];
    private final long[] addresses = new long[ADDRESS_LONGS * MESSAGES_MAX];
    private int head;
    private int tail;

    /** Copies a message; false if there is no room for it. */
    boolean add(Exchange exchange, long offset, int length) {
        int start = end();
        if (tail == MESSAGES_MAX || start + length > Limits.BACKLOG_BYTES_MAX) {
            return false;
        }
        if (bytes.byteSize() == 0) {
            bytes = Arena.ofAuto().allocate(Limits.BACKLOG_BYTES_MAX);
        }
        MemorySegment.copy(exchange.question(), offset, bytes, start, length);
        ends[tail] = start + length;
        peerPorts[tail] = exchange.peerPort();
        localPorts[tail] = exchange.localPort();
        addresses[ADDRESS_LONGS * tail] = exchange.peerHigh();
        addresses[ADDRESS_LONGS * tail + 1] = exchange.peerLow();
        addresses[ADDRESS_LONGS * tail + 2] = exchange.localHigh();
        addresses[ADDRESS_LONGS * tail + 3] = exchange.localLow();
        tail++;
        return true;
    }

    private int end() {
        return tail == 0 ? 0 : ends[tail - 1];
    }

    /** Points an exchange at the oldest message, or returns false if there is none. */
    boolean next(Exchange exchange, long nowMillis) {
        if (head == tail) {
            return false;
        }
        int start = head == 0 ? 0 : ends[head - 1];
        exchange.question(bytes, start, ends[head] - start, nowMillis);
        exchange.peer(addresses[ADDRESS_LONGS * head], addresses[ADDRESS_LONGS * head + 1], peerPorts[head]);
        exchange.local(addresses[ADDRESS_LONGS * head + 2], addresses[ADDRESS_LONGS * head + 3], localPorts[head]);
        if (++head == tail) {
            head = 0;
            tail = 0;
        }
        return true;
    }
}
