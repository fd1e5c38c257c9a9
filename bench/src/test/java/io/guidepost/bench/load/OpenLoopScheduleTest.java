package io.guidepost.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OpenLoopScheduleTest {
    @Test
    void requestsAreDueEvenlyFromTheStartOn() {
        OpenLoopSchedule pace = new OpenLoopSchedule(1000, 1e6, 1);
        assertThat(pace.due(999)).isZero();
        assertThat(pace.due(1000)).isEqualTo(1);
        assertThat(pace.due(1999)).isEqualTo(1);
        assertThat(pace.due(2000)).isEqualTo(2);
        assertThat(pace.due(1000 + 1_000_000_000L)).isEqualTo(1_000_001);
    }

    @Test
    void whatIsDueWasMeantToLeaveBefore() {
        OpenLoopSchedule pace = new OpenLoopSchedule(77, 33_333.3, 1);
        for (long now = 77; now < 10_000_000; now += 997) {
            long due = pace.due(now);
            assertThat(pace.intendedNanos(due - 1)).isLessThanOrEqualTo(now);
            assertThat(pace.intendedNanos(due)).isGreaterThanOrEqualTo(now);
        }
    }

    @Test
    void aTrainIsMeantToLeaveAtOnce() {
        OpenLoopSchedule pace = new OpenLoopSchedule(0, 1e6, 64);
        assertThat(pace.due(0)).isEqualTo(64);
        assertThat(pace.due(63_999)).isEqualTo(64);
        assertThat(pace.due(64_000)).isEqualTo(128);
        assertThat(pace.intendedNanos(63)).isZero();
        assertThat(pace.intendedNanos(64)).isEqualTo(64_000);
        assertThat(pace.intendedNanos(127)).isEqualTo(64_000);
    }

    @Test
    void aRateThatIsNoRateIsRefused() {
        assertThatThrownBy(() -> new OpenLoopSchedule(0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new OpenLoopSchedule(0, Double.NaN, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
