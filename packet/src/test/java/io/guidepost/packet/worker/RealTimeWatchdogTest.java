package io.guidepost.packet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.packet.PacketLimits;
import org.junit.jupiter.api.Test;

/** How often the watchdog of a worker in real time looks. */
class RealTimeWatchdogTest {
    private static final long SECOND = 1_000_000_000L;

    private final RealTimeWatchdog.LookPeriod period = new RealTimeWatchdog.LookPeriod();
    private long nanos;

    /** Plays a second of a worker that takes a turn every so often; returns how often it was looked at. */
    private int looks(long turnNanos) {
        int looks = 0;
        for (long end = nanos + SECOND; nanos < end; looks++) {
            nanos += period.nanos();
            period.looked(nanos / turnNanos);
        }
        return looks;
    }

    @Test
    void aWorkerThatWakesForWhatIsDueIsLookedAtSeldom() {
        looks(SECOND / 20);

        assertThat(looks(SECOND / 20)).isLessThanOrEqualTo(21);
    }

    @Test
    void aWorkerThatHasWorkIsLookedAtAtEachPeriod() {
        looks(SECOND / 20);
        looks(SECOND / 1_000);

        assertThat(looks(SECOND / 1_000)).isEqualTo((int) (SECOND / PacketLimits.WATCHDOG_NANOS));
    }

    /** From the begin of work on a look of the idle period passes, at most. */
    @Test
    void workIsSeenByTheNextLookOfAnIdleWorker() {
        looks(SECOND / 20);
        looks(SECOND / 20);
        period.looked(nanos / (SECOND / 20) + 100);

        assertThat(period.nanos()).isEqualTo(PacketLimits.WATCHDOG_NANOS);
    }
}
