package io.guidepost.gnrs;

import io.guidepost.base.PendingDatagrams;
import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;

/**
 * Paces the answers to writes that are refused for lack of room: a bounded number leaves in each millisecond, the others wait, and
 * what finds no place to wait is dropped. For one worker.
 *
 * <p>Why? A client in a closed loop sends its next write as soon as one is refused. Refused at once, a thousand writes too many come
 * again millions of times in a second, on the processor that the committer needs to make room. Answered at this pace they cost
 * hardly anything, and it is the refused client that waits.
 */
final class RefusalPacer {
    /** Time after which the next may leave: the clock of a turn counts milliseconds. */
    static final long PAUSE_NANOS = 1_000_000;

    private final PendingDatagrams waiting =
            new PendingDatagrams(GnrsLimits.REFUSALS_WAITING_MAX, GnrsLimits.REFUSALS_WAITING_MAX * GnrsLimits.ANSWER_BYTES_MIN);
    private long millis;
    private int left = GnrsLimits.REFUSALS_PER_MILLI_MAX;

    /** Starts a turn. */
    void begin(long nowMillis) {
        if (nowMillis != millis) {
            millis = nowMillis;
            left = GnrsLimits.REFUSALS_PER_MILLI_MAX;
        }
    }

    /** Returns whether an answer may leave now, before none that waits. */
    boolean tryLeave() {
        if (left == 0 || !waiting.isEmpty()) {
            return false;
        }
        left--;
        return true;
    }

    /** Keeps the answer in an exchange's room until it may leave; returns false if there is no place. */
    boolean hold(Exchange exchange, int length) {
        return exchange.copyTo(waiting, exchange.room(), exchange.roomOffset(), length);
    }

    /** Writes the first answer that waits and may leave; returns false if there is none. */
    boolean next(Exchange exchange) {
        if (left == 0 || waiting.isEmpty()) {
            return false;
        }
        left--;
        int length = waiting.length();
        MemorySegment.copy(waiting.segment(), waiting.offset(), exchange.room(), exchange.roomOffset(), length);
        exchange.addressesOf(waiting);
        exchange.respond(length);
        waiting.remove();
        return true;
    }

    /** Returns how many answers wait. */
    int waiting() {
        return waiting.count();
    }

    /** Returns when the next turn must begin, as {@link io.guidepost.names.Door#restNanos}. */
    long restNanos() {
        return waiting.isEmpty() ? Long.MAX_VALUE : PAUSE_NANOS;
    }
}
