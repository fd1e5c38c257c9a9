package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is spent stays below the bound, by the clock that is given. */
final class TokenBucketTest {
    @Test
    void whatIsSpentIsBounded() {
        TokenBucket bucket = new TokenBucket(1000, 100);
        SplittableRandom random = new SplittableRandom(1);
        long nanos = -5_000_000_000L;
        long start = nanos;
        double spent = 0;
        for (int i = 0; i < 10_000; i++) {
            if (bucket.isOpen(nanos)) {
                int piece = random.nextInt(300);
                bucket.spend(piece);
                spent += piece;
            } else {
                assertThat(bucket.nanosUntilOpen()).isPositive();
            }
            nanos += random.nextLong(200_000_000);
            assertThat(spent).isLessThanOrEqualTo(100 + 300 + 1000 * (nanos - start) / 1e9);
        }
        assertThat(spent).isGreaterThan(0.5 * 1000 * (nanos - start) / 1e9);
    }

    @Test
    void itOpensWhenItSays() {
        TokenBucket bucket = new TokenBucket(1000, 100);
        assertThat(bucket.isOpen(0)).isTrue();
        bucket.spend(600);
        assertThat(bucket.isOpen(1)).isFalse();
        long rest = bucket.nanosUntilOpen();
        assertThat(bucket.isOpen(rest - 1_000_000)).isFalse();
        assertThat(bucket.isOpen(1 + rest)).isTrue();
    }

    /** Takes only what is there, and says when the rest will be. */
    @Test
    void takesAllOrNothing() {
        TokenBucket bucket = new TokenBucket(1000, 100, 1);
        bucket.refill(0);
        assertThat(bucket.tryTake(2)).isFalse();
        assertThat(bucket.nanosUntil(2)).isEqualTo(1_000_000);
        bucket.refill(1_000_000);
        assertThat(bucket.tryTake(2)).isTrue();
        bucket.refill(10_000_000_000L);
        assertThat(bucket.tryTake(101)).isFalse();
        assertThat(bucket.tryTake(100)).isTrue();
    }

    @Test
    void anInfiniteRateBoundsNothing() {
        TokenBucket bucket = new TokenBucket(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 1);
        for (int i = 0; i < 100; i++) {
            bucket.refill(i % 2);
            assertThat(bucket.tryTake(1e12)).isTrue();
            assertThat(bucket.nanosUntil(1e12)).isZero();
        }
    }
}
