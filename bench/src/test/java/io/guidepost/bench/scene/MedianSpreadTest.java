package io.guidepost.bench.scene;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.ProcessMeter;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class MedianSpreadTest {
    private static LoadResult tally(long replies, long idleNanos, long serverNanos) {
        return new LoadResult(
                1_000_000_000L, replies, replies, replies, 0, 0, 0, 0, 0, new Histogram(3), idleNanos, serverNanos);
    }

    @Test
    void theMiddleAndTheEnds() {
        assertThat(MedianSpread.of(List.of(3.0, 1.0, 2.0))).isEqualTo(new MedianSpread(1, 2, 3));
        assertThat(MedianSpread.of(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(new MedianSpread(1, 2.5, 4));
    }

    @Test
    void printsAsManyDigitsAsTheSizeDeserves() {
        assertThat(MedianSpread.of(List.of(512_345.6)).toString()).isEqualTo("512,346");
        assertThat(MedianSpread.of(List.of(1.0, 1.011, 0.954)).toString()).isEqualTo("1 (0.95-1.01)");
        assertThat(MedianSpread.of(List.of(Double.NaN)).toString()).isEqualTo("-");
    }

    @Test
    void ratiosAreTakenInsideOfARound() {
        AlternatingRounds rounds = new AlternatingRounds();
        for (long replies : new long[] {100, 200, 400}) {
            rounds.add("a", tally(replies, 0, 1000 * replies));
            rounds.add("b", tally(replies / 2, 0, 1000 * replies));
        }
        assertThat(rounds.ratio("a", "b", LoadResult::repliesPerSecond)).isEqualTo(new MedianSpread(2, 2, 2));
        assertThat(rounds.ratio("a", "b", LoadResult::cpuMicrosPerReply)).isEqualTo(new MedianSpread(0.5, 0.5, 0.5));
        assertThat(rounds.rows()).hasSize(2).allSatisfy(row -> assertThat(row).hasSameSizeAs(AlternatingRounds.heading()));
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
