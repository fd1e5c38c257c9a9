package io.guidepost.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SpreadTest {
    private static Tally tally(long replies, long idleNanos, long serverNanos) {
        return new Tally(
                1_000_000_000L, replies, replies, replies, 0, 0, 0, 0, 0, new Histogram(3), idleNanos, serverNanos);
    }

    @Test
    void theMiddleAndTheEnds() {
        assertThat(Spread.of(List.of(3.0, 1.0, 2.0))).isEqualTo(new Spread(1, 2, 3));
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(new Spread(1, 2.5, 4));
    }

    @Test
    void printsAsManyDigitsAsTheSizeDeserves() {
        assertThat(Spread.of(List.of(512_345.6)).toString()).isEqualTo("512,346");
        assertThat(Spread.of(List.of(1.0, 1.011, 0.954)).toString()).isEqualTo("1 (0.95-1.01)");
        assertThat(Spread.of(List.of(Double.NaN)).toString()).isEqualTo("-");
    }

    @Test
    void ratiosAreTakenInsideOfARound() {
        Rounds rounds = new Rounds();
        for (long replies : new long[] {100, 200, 400}) {
            rounds.add("a", tally(replies, 0, 1000 * replies));
            rounds.add("b", tally(replies / 2, 0, 1000 * replies));
        }
        assertThat(rounds.ratio("a", "b", Tally::repliesPerSecond)).isEqualTo(new Spread(2, 2, 2));
        assertThat(rounds.ratio("a", "b", Tally::cpuMicrosPerReply)).isEqualTo(new Spread(0.5, 0.5, 0.5));
        assertThat(rounds.rows()).hasSize(2).allSatisfy(row -> assertThat(row).hasSameSizeAs(Rounds.heading()));
    }

    @Test
    void aGeneratorThatNeverWaitedForAServerThatDidIsTheLimit() {
        assertThat(tally(1, 0, 500_000_000).generatorIsLimit()).isTrue();
        assertThat(tally(1, 0, 990_000_000).generatorIsLimit()).isFalse();
        assertThat(tally(1, 300_000_000, 500_000_000).generatorIsLimit()).isFalse();
        assertThat(tally(1, 0, ProcessMeter.UNKNOWN).generatorIsLimit()).isFalse();
        assertThat(tally(1, 0, ProcessMeter.UNKNOWN).cpuMicrosPerReply()).isNaN();
    }
}
