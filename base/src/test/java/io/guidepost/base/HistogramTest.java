package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistogramTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "2, 1", "3, 2", "4, 2", "5, 3", "64, 6", "65, 7", "9223372036854775807, 39"})
    void aBucketHoldsTheValuesUpToItsBound(long value, int bucket) {
        Histogram histogram = Histogram.doubling();
        assertThat(histogram.bucket(value)).isEqualTo(bucket);
        assertThat(value).isBetween(histogram.lowerBound(bucket), histogram.upperBound(bucket));
        histogram.record(value);
        assertThat(histogram.count(bucket)).isEqualTo(1);
        assertThat(histogram.sum()).isEqualTo(value);
    }

    @Test
    void latenciesAreWithinASixteenth() {
        Histogram histogram = Histogram.fine();
        for (long value : new long[] {0, 1, 15, 16, 17, 31, 32, 33, 1_000, 123_456, 1L << 40, Long.MAX_VALUE}) {
            int bucket = histogram.bucket(value);
            assertThat(histogram.lowerBound(bucket)).isLessThanOrEqualTo(value).isGreaterThanOrEqualTo(value - value / 16);
            assertThat(histogram.upperBound(bucket)).isGreaterThanOrEqualTo(value);
        }
        for (int i = 1; i <= 1_000; i++) {
            histogram.record(i);
        }
        assertThat(histogram.percentile(0.5)).isBetween(468L, 500L);
        assertThat(histogram.percentile(0.99)).isBetween(928L, 990L);
        assertThat(histogram.percentile(1)).isBetween(937L, 1_000L);
        assertThat(Histogram.fine().percentile(0.5)).isZero();
    }
}
