package io.guidepost.store.embedded;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread brings about. */
final class Await {
    private static final long NANOS_MAX = 60_000_000_000L;

    private Await() {}

    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + NANOS_MAX;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within a minute: " + what);
            }
            LockSupport.parkNanos(500_000);
        }
    }
}
