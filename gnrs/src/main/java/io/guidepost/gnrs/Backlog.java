package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.names.DatagramRing;
import io.guidepost.names.Exchange;

/**
 * Messages that wait for their turn, such as those that came behind another one in the same datagram: each is answered
 * by a datagram of its own. First in, first out. One thread.
 */
final class Backlog {
    private final DatagramRing messages = new DatagramRing(GnrsLimits.BACKLOG_MESSAGES_MAX, GnrsLimits.BACKLOG_BYTES_MAX);

    /** Whether nothing waits. */
    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** Copies a message; false if there is no room for it. */
    boolean add(Exchange exchange, long offset, int length) {
        return messages.add(exchange, exchange.question(), offset, length);
    }

    /** Points an exchange at the oldest message, or returns false if there is none. */
    boolean next(Exchange exchange, long nowMillis) {
        if (messages.isEmpty()) {
            return false;
        }
        exchange.question(messages.segment(), messages.offset(), messages.length(), nowMillis);
        messages.address(exchange);
        messages.remove();
        return true;
    }
}
