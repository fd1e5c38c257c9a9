package io.guidepost.handle.door;

import io.guidepost.handle.message.MessageFragmenter;
import io.guidepost.names.DatagramRing;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;

/**
 * Messages that take several packets, and leave as the worker has room for packets. First in, first out. Allocates
 * nothing after the first. Not thread-safe.
 */
final class FragmentQueue {
    /** Bytes that may wait: eight of the longest messages, or two thousand of a few packets. */
    static final int BYTES_MAX = 2 << 20;

    /** Messages that may wait. */
    private static final int MESSAGES_MAX = 2048;

    private final DatagramRing messages = new DatagramRing(MESSAGES_MAX, BYTES_MAX);

    /** Number of the packet of the first message that leaves next. */
    private int packet;

    /** Whether nothing waits. */
    boolean isEmpty() {
        return messages.isEmpty();
    }

    /**
     * Copies a message.
     *
     * @param to whose peer and local address it goes to and comes from
     * @return false if there is no room for it
     */
    boolean add(Exchange to, MemorySegment from, long offset, int length) {
        return messages.add(to, from, offset, length);
    }

    /** Writes the next packet into the room of an exchange and addresses it; false if none waits. */
    boolean next(Exchange exchange) {
        if (messages.isEmpty()) {
            return false;
        }
        messages.address(exchange);
        exchange.answer(MessageFragmenter.write(
                messages.segment(),
                messages.offset(),
                messages.length(),
                packet,
                exchange.room(),
                exchange.roomOffset()));
        packet++;
        if (packet == MessageFragmenter.count(messages.length())) {
            packet = 0;
            messages.remove();
        }
        return true;
    }
}
