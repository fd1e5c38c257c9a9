package io.guidepost.packet.worker;

import io.guidepost.packet.PacketLimits;

/**
 * Exponential idle backoff for queues without notification: the shortest sleep while packets come and for {@link
 * PacketLimits#POLL_IDLE_NANOS} after the last one, then twice as long each time up to a bound. An idle port takes a
 * hundredth of a processor instead of a third, and its first packet waits no longer than the bound.
 */
final class IdleBackoff {
    private final long nanosMax;
    private long busyNanos;
    private long nanos;

    /**
     * Starts with the shortest sleep.
     *
     * @param nanosMax the longest sleep; not above {@link PacketLimits#POLL_NANOS} disables the backoff
     * @param nowNanos by the clock of {@link #next}
     */
    IdleBackoff(long nanosMax, long nowNanos) {
        this.nanosMax = Math.max(nanosMax, PacketLimits.POLL_NANOS);
        this.busyNanos = nowNanos;
        this.nanos = PacketLimits.POLL_NANOS;
    }

    /**
     * Returns the next sleep in nanoseconds.
     *
     * @param moved packets moved since the last sleep
     */
    long next(long moved, long nowNanos) {
        if (moved > 0) {
            busyNanos = nowNanos;
            nanos = PacketLimits.POLL_NANOS;
        } else if (nowNanos - busyNanos >= PacketLimits.POLL_IDLE_NANOS) {
            nanos = Math.min(2 * nanos, nanosMax);
        }
        return nanos;
    }
}
