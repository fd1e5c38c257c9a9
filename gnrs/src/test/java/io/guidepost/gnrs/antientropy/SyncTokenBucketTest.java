package io.guidepost.gnrs.antientropy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is spent stays below the bound, by the clock that is given. */
final class SyncTokenBucketTest {
    @Test
    void whatIsSpentIsBounded() {
        SyncTokenBucket pace = new SyncTokenBucket(1000, 100);
        SplittableRandom random = new SplittableRandom(1);
        long nanos = -5_000_000_000L;
        long start = nanos;
        double spent = 0;
        for (int i = 0; i < 10_000; i++) {
            if (pace.open(nanos)) {
                int piece = random.nextInt(300);
                pace.spend(piece);
                spent += piece;
            } else {
                assertThat(pace.restNanos()).isPositive();
            }
            nanos += random.nextLong(200_000_000);
            assertThat(spent).isLessThanOrEqualTo(100 + 300 + 1000 * (nanos - start) / 1e9);
        }
        assertThat(spent).isGreaterThan(0.5 * 1000 * (nanos - start) / 1e9);
    }

    @Test
    void itOpensWhenItSays() {
        SyncTokenBucket pace = new SyncTokenBucket(1000, 100);
        assertThat(pace.open(0)).isTrue();
        pace.spend(600);
        assertThat(pace.open(1)).isFalse();
        long rest = pace.restNanos();
        assertThat(pace.open(rest - 1_000_000)).isFalse();
        assertThat(pace.open(1 + rest)).isTrue();
    }
}
