package io.guidepost.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class KeyDistributionTest {
    private static final int DRAWS = 1_000_000;

    private static int[] counts(KeyDistribution keys, int records) {
        int[] counts = new int[records];
        for (int i = 0; i < DRAWS; i++) {
            counts[keys.next()]++;
        }
        return counts;
    }

    @Test
    void uniformKeysAreEquallyLikely() {
        // 1000 draws of each are expected, with a standard deviation of 32: seven of them is never seen by chance.
        assertThat(Arrays.stream(counts(KeyDistribution.uniform(1000, 1), 1000)).summaryStatistics())
                .satisfies(counts -> assertThat(counts.getMin()).isGreaterThan(776))
                .satisfies(counts -> assertThat(counts.getMax()).isLessThan(1224));
    }

    @Test
    void zipfKeysFollowTheLaw() {
        for (double exponent : new double[] {0.8, 1, 1.2}) {
            int[] counts = counts(KeyDistribution.zipf(1000, exponent, 1), 1000);
            double sum = 0;
            for (int rank = 1; rank <= 1000; rank++) {
                sum += Math.pow(rank, -exponent);
            }
            for (int rank : new int[] {1, 2, 3, 10, 100}) {
                double expected = DRAWS * Math.pow(rank, -exponent) / sum;
                assertThat((double) counts[rank - 1])
                        .as("rank %d of exponent %s", rank, exponent)
                        .isCloseTo(expected, within(7 * Math.sqrt(expected)));
            }
        }
    }

    @Test
    void sequentialAndListedKeysGoRound() {
        KeyDistribution sequential = KeyDistribution.sequential(5, 3);
        assertThat(new int[] {sequential.next(), sequential.next(), sequential.next(), sequential.next()})
                .containsExactly(5, 6, 7, 5);
        KeyDistribution listed = KeyDistribution.listed(new int[] {9, 4});
        assertThat(new int[] {listed.next(), listed.next(), listed.next()}).containsExactly(9, 4, 9);
    }

    @Test
    void oneRecordIsEnough() {
        assertThat(KeyDistribution.uniform(1, 3).next()).isZero();
        assertThat(KeyDistribution.zipf(1, 1, 3).next()).isZero();
    }
}
