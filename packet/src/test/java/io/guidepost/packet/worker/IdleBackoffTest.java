package io.guidepost.packet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.packet.PacketLimits;
import org.junit.jupiter.api.Test;

class IdleBackoffTest {
    private static final long MAX = 1_000_000;

    private long now = 5_000_000;
    private final IdleBackoff pace = new IdleBackoff(MAX, now);

    private long next(long moved) {
        return pace.next(moved, now);
    }

    @Test
    void itLooksOftenUntilNothingHasComeForAWhile() {
        long end = now + PacketLimits.POLL_IDLE_NANOS;
        for (; now < end; now += 60_000) {
            assertThat(next(0)).isEqualTo(PacketLimits.POLL_NANOS);
        }
        assertThat(next(0)).isEqualTo(2 * PacketLimits.POLL_NANOS);
    }

    @Test
    void sleepsOfAnIdleTimeDoubleUpToTheBound() {
        now += PacketLimits.POLL_IDLE_NANOS;
        long expected = PacketLimits.POLL_NANOS;
        for (int i = 0; i < 10; i++) {
            expected = Math.min(2 * expected, MAX);
            assertThat(next(0)).as("sleep %d", i).isEqualTo(expected);
            now += expected;
        }
        assertThat(expected).isEqualTo(MAX);
    }

    @Test
    void theFirstPacketMakesThemShortAgain() {
        now += 100 * PacketLimits.POLL_IDLE_NANOS;
        for (int i = 0; i < 10; i++) {
            next(0);
        }
        assertThat(next(1)).isEqualTo(PacketLimits.POLL_NANOS);
        now += PacketLimits.POLL_IDLE_NANOS - 1;
        assertThat(next(0)).isEqualTo(PacketLimits.POLL_NANOS);
        now += 1;
        assertThat(next(0)).isEqualTo(2 * PacketLimits.POLL_NANOS);
    }

    @Test
    void aBoundBelowTheShortestSleepMakesAllAlike() {
        IdleBackoff even = new IdleBackoff(0, now);
        now += 100 * PacketLimits.POLL_IDLE_NANOS;
        for (int i = 0; i < 5; i++) {
            assertThat(even.next(0, now)).isEqualTo(PacketLimits.POLL_NANOS);
        }
    }
}
