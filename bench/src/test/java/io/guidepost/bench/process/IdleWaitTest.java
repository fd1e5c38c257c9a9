package io.guidepost.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class IdleWaitTest {
    private static final IdleWait REST = new IdleWait(1_000_000, 0.5, 60_000_000_000L);

    @Test
    void waitsUntilLittleWasUsedBetweenTwoLooks() {
        long[] used = {0, 900_000, 1_800_000, 2_200_000, 9_000_000};
        AtomicInteger looks = new AtomicInteger();
        REST.await(() -> used[looks.getAndIncrement()]);
        assertThat(looks).hasValue(4);
    }

    @Test
    void doesNotWaitForWhatNobodyCanTell() {
        AtomicInteger looks = new AtomicInteger();
        REST.await(() -> {
            looks.incrementAndGet();
            return ProcessMeter.UNKNOWN;
        });
        assertThat(looks).hasValue(1);
    }

    @Test
    void waitsNoLongerThanItMay() {
        AtomicInteger looks = new AtomicInteger();
        AtomicLong clock = new AtomicLong(7);
        new IdleWait(1_000_000, 0.5, 5_000_000)
                .await(() -> looks.incrementAndGet() * 1_000_000_000L, () -> clock.getAndAdd(1_000_000));
        assertThat(looks).hasValue(5);
    }
}
