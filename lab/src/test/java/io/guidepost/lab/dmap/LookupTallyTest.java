package io.guidepost.lab.dmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tallies against sorted times. */
class LookupTallyTest {
    @Test
    void meansAreExactAndQuantilesAreWithinAThousandth() {
        for (int seed = 0; seed < 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long[] times = new long[random.nextInt(1, 3000)];
            double wide = random.nextDouble(1, 25);
            LatencyStatistics whole = new LatencyStatistics();
            LatencyStatistics[] parts = {new LatencyStatistics(), new LatencyStatistics()};
            for (int i = 0; i < times.length; i++) {
                times[i] = (long) Math.exp(wide * random.nextDouble());
                whole.answered(times[i]);
                parts[i % 2].answered(times[i]);
            }
            parts[1].add(parts[0]);
            Arrays.sort(times);
            for (LatencyStatistics each : new LatencyStatistics[] {whole, parts[1]}) {
                assertThat(each.meanMillis())
                        .as("seed %s", seed)
                        .isCloseTo(Arrays.stream(times).sum() / 1e3 / times.length, within(1e-6));
                for (double share : new double[] {0.001, 0.25, 0.5, 0.95, 1}) {
                    double exact = times[(int) Math.ceil(share * times.length) - 1] / 1e3;
                    assertThat(each.quantileMillis(share))
                            .as("seed %s, share %s", seed, share)
                            .isCloseTo(exact, within(exact / 1000));
                }
            }
        }
    }

    @Test
    void sharesAreOfAllLookups() {
        LatencyStatistics tally = new LatencyStatistics();
        for (int i = 0; i < 3; i++) {
            tally.answered(5);
            tally.asked(2);
        }
        tally.failed();
        tally.asked(5);
        tally.firstMissing();
        assertThat(tally.lookups()).isEqualTo(4);
        assertThat(tally.failedShare()).isEqualTo(0.25);
        assertThat(tally.firstMissingShare()).isEqualTo(0.25);
        assertThat(tally.questionsMean()).isEqualTo(11 / 4.0);
        assertThat(new LatencyStatistics().quantileMillis(0.5)).isZero();
    }
}
