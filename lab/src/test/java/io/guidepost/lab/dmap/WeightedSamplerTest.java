package io.guidepost.lab.dmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.guidepost.lab.asgraph.WeightedSampler;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Drawing against the formula of the weights. */
class WeightedSamplerTest {
    private static final int DRAWS = 2_000_000;

    @Test
    void ranksAreDrawnByTheLawOfMandelbrotAndZipf() {
        int count = 500;
        double alpha = 1.02;
        double q = 100;
        double all = 0;
        for (int rank = 1; rank <= count; rank++) {
            all += 1 / Math.pow(rank + q, alpha);
        }
        int[] drawn = draw(WeightedSampler.mandelbrotZipf(count, alpha, q), count);
        double chiSquared = 0;
        for (int rank = 1; rank <= count; rank++) {
            double expected = DRAWS / Math.pow(rank + q, alpha) / all;
            chiSquared += Math.pow(drawn[rank - 1] - expected, 2) / expected;
        }
        // 499 degrees of freedom: a mean of 499 and a standard deviation of 32; one law for another gives thousands.
        assertThat(chiSquared).isBetween(499 - 4 * 32.0, 499 + 4 * 32.0);
        assertThat(WeightedSampler.mandelbrotZipf(count, alpha, q).share(0))
                .isCloseTo(1 / Math.pow(1 + q, alpha) / all, within(1e-12));
    }

    @Test
    void whatHasNoWeightIsNeverDrawn() {
        int[] drawn = draw(WeightedSampler.of(new double[] {0, 3, 0, 0, 1, 0}), 6);
        assertThat(drawn).containsSequence(0, drawn[1], 0, 0, drawn[4], 0);
        assertThat(drawn[1] / (double) DRAWS).isCloseTo(0.75, within(0.002));
    }

    @Test
    void aBoundLeavesTheProportionsBelowIt() {
        SplittableRandom random = new SplittableRandom(3);
        WeightedSampler shares = WeightedSampler.of(new double[] {1, 2, 5});
        int second = 0;
        for (int i = 0; i < 300_000; i++) {
            int drawn = shares.drawBelow(random, 2);
            assertThat(drawn).isLessThan(2);
            second += drawn;
        }
        assertThat(second / 300_000.0).isCloseTo(2 / 3.0, within(0.005));
    }

    @Test
    void weightsThatAreAllZeroAreRefused() {
        assertThatThrownBy(() -> WeightedSampler.of(new double[3]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no weight above zero");
    }

    private static int[] draw(WeightedSampler shares, int count) {
        SplittableRandom random = new SplittableRandom(1);
        int[] drawn = new int[count];
        for (int i = 0; i < DRAWS; i++) {
            drawn[shares.draw(random)]++;
        }
        return drawn;
    }
}
