package io.guidepost.handle.door;

import io.guidepost.base.PendingDatagrams;
import io.guidepost.handle.message.MessageFragmenter;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;

/**
 * The queue of responses that take several packets, sent as the worker has free packets. First in, first out. Allocates
 * on first use only. Not thread-safe.
 */
final class FragmentQueue {
    /** Bytes in the queue: eight of the longest messages, or two thousand of a few packets. */
    static final int BYTES_MAX = 2 << 20;

    /** Messages in the queue. */
    private static final int MESSAGES_MAX = 2048;

    private final PendingDatagrams messages = new PendingDatagrams(MESSAGES_MAX, BYTES_MAX);

    /** Number of the next packet of the first message. */
    private int packet;

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /**
     * Appends a copy of a message.
     *
     * @param to gives the peer's and the local address
     * @return false if the queue is full
     */
    boolean add(Exchange to, MemorySegment from, long offset, int length) {
        return to.copyTo(messages, from, offset, length);
    }

    /** Writes the next packet into the room of an exchange and addresses it; returns false if the queue is empty. */
    boolean next(Exchange exchange) {
        if (messages.isEmpty()) {
            return false;
        }
        exchange.addressesOf(messages);
        exchange.respond(MessageFragmenter.write(
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
