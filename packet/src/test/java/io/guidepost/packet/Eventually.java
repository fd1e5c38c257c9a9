package io.guidepost.packet;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions. */
public final class Eventually {
    private static final long DEADLINE_NANOS = 120_000_000_000L;
    private static final long POLL_NANOS = 100_000;

    private Eventually() {}

    /** Looks until a condition holds, two minutes at most: only what hangs takes so long. */
    public static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within two minutes: " + what);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
