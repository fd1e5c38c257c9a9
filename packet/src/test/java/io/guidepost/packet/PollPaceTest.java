package io.guidepost.packet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PollPaceTest {
    private static final long MAX = 1_000_000;

    private long now = 5_000_000;
    private final PollPace pace = new PollPace(MAX, now);

    private long next(long moved) {
        return pace.next(moved, now);
    }

    @Test
    void itLooksOftenUntilNothingHasComeForAWhile() {
        long end = now + Limits.POLL_IDLE_NANOS;
        for (; now < end; now += 60_000) {
            assertThat(next(0)).isEqualTo(Limits.POLL_NANOS);
        }
        assertThat(next(0)).isEqualTo(2 * Limits.POLL_NANOS);
    }

    @Test
    void sleepsOfAnIdleTimeDoubleUpToTheBound() {
        now += Limits.POLL_IDLE_NANOS;
        long expected = Limits.POLL_NANOS;
        for (int i = 0; i < 10; i++) {
            expected = Math.min(2 * expected, MAX);
            assertThat(next(0)).as("sleep %d", i).isEqualTo(expected);
            now += expected;
        }
        assertThat(expected).isEqualTo(MAX);
    }

    @Test
    void theFirstPacketMakesThemShortAgain() {
        now += 100 * Limits.POLL_IDLE_NANOS;
        for (int i = 0; i < 10; i++) {
            next(0);
        }
        assertThat(next(1)).isEqualTo(Limits.POLL_NANOS);
        now += Limits.POLL_IDLE_NANOS - 1;
        assertThat(next(0)).isEqualTo(Limits.POLL_NANOS);
        now += 1;
        assertThat(next(0)).isEqualTo(2 * Limits.POLL_NANOS);
    }

    @Test
    void aBoundBelowTheShortestSleepMakesAllAlike() {
        PollPace even = new PollPace(0, now);
        now += 100 * Limits.POLL_IDLE_NANOS;
        for (int i = 0; i < 5; i++) {
            assertThat(even.next(0, now)).isEqualTo(Limits.POLL_NANOS);
        }
    }
}
