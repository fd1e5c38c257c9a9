package io.guidepost.server.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions. */
final class FeedCondition {
    private static final long STEP_NANOS = Duration.ofMillis(5).toNanos();

    private FeedCondition() {}

    /** Waits until something is so; fails with a description if it is not in time. */
    static void so(Duration most, Supplier<String> description, BooleanSupplier condition) {
        long end = System.nanoTime() + most.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            LockSupport.parkNanos(STEP_NANOS);
        }
        assertThat(condition.getAsBoolean()).as(description).isTrue();
    }
}
