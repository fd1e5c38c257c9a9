package io.guidepost.packet.pcap;

import java.time.Instant;

/**
 * The wall clock in nanoseconds: read from the system once a second, and advanced by the cheaper monotonic clock
 * between.
 */
final class WallClock {
    private static final long AGAIN_NANOS = 1_000_000_000;

    private long askedAt;
    private long shift;

    WallClock() {
        ask(System.nanoTime());
    }

    /** Returns the nanoseconds since 1970. */
    long nanos() {
        long now = System.nanoTime();
        if (now - askedAt > AGAIN_NANOS) {
            ask(now);
        }
        return now + shift;
    }

    private void ask(long now) {
        Instant wall = Instant.now();
        askedAt = now;
        shift = wall.getEpochSecond() * 1_000_000_000 + wall.getNano() - now;
    }
}
