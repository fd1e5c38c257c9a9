package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketsTest {
    @Test
    void eachKeyHasABucketOfItsOwn() {
        TokenBuckets buckets = new TokenBuckets(1000, 42);
        assertThat(buckets.tryTake(1, 2000, 0)).as("two seconds may be saved").isTrue();
        assertThat(buckets.tryTake(1, 1, 0)).isFalse();
        assertThat(buckets.tryTake(2, 2000, 0)).isTrue();
        assertThat(buckets.tryTake(1, 501, 500)).isFalse();
        assertThat(buckets.tryTake(1, 500, 500)).isTrue();
        assertThat(buckets.tryTake(1, 2001, 1_000_000)).as("no more than that").isFalse();
        assertThat(buckets.tryTake(1, 2000, 1_000_000)).isTrue();
    }

    @Test
    void noRateIsNoBound() {
        TokenBuckets buckets = new TokenBuckets(0, 42);
        assertThat(buckets.tryTake(1, Integer.MAX_VALUE, 0)).isTrue();
        assertThat(buckets.tryTake(1, Integer.MAX_VALUE, 0)).isTrue();
    }
}
