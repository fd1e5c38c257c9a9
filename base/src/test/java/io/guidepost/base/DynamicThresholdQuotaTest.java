package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DynamicThresholdQuotaTest {
    /** The table of the class's Javadoc: greedy holders leave their share to others. */
    @ParameterizedTest
    @CsvSource({"1, 3072, 1024", "2, 1755, 585", "10, 396, 132", "100, 40, 13"})
    void greedyHoldersLeaveRoom(int greedy, int each, int left) {
        DynamicThresholdQuota quota = new DynamicThresholdQuota(4096, 3, 42);
        for (boolean more = true; more; ) {
            more = false;
            for (int i = 0; i < greedy; i++) {
                more |= quota.tryAcquire(i);
            }
        }
        assertThat(4096 - quota.taken()).isBetween(left - greedy / 10 - 2, left + 2);
        assertThat(quota.taken() / greedy).isBetween(each - 1, each + 1);
        assertThat(quota.isFull()).isFalse();
        assertThat(quota.tryAcquire(greedy + 1)).isTrue();
    }

    @Test
    void theSmallestTableHasAPlace() {
        DynamicThresholdQuota quota = new DynamicThresholdQuota(1, 3, 42);
        assertThat(quota.tryAcquire(7)).isTrue();
        assertThat(quota.isFull()).isTrue();
        assertThat(quota.tryAcquire(8)).isFalse();
        quota.release(7);
        assertThat(quota.tryAcquire(8)).isTrue();
    }

    /** What is scarce elsewhere counts as the places do. */
    @Test
    void aShareIsOfWhatIsScarcest() {
        DynamicThresholdQuota quota = new DynamicThresholdQuota(4096, 3, 42);
        for (int i = 0; i < 30; i++) {
            assertThat(quota.tryAcquire(1, 10)).isTrue();
        }
        assertThat(quota.tryAcquire(1, 10)).isFalse();
        assertThat(quota.tryAcquire(2, 10)).isTrue();
        assertThat(quota.tryAcquire(3, 0)).isFalse();
    }

    /** Against counts in a map: never more than the table, never refused below the share when alone in its cells. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void countsAsAMapDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int max = 1 + random.nextInt(300);
        DynamicThresholdQuota quota = new DynamicThresholdQuota(max, 3, random.nextLong());
        Map<Long, Integer> model = new HashMap<>();
        List<Long> inside = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(100) < 55) {
                // A few holders, so that sharing a cell with another in both rows is as good as impossible.
                long holder = random.nextInt(1 + random.nextInt(8));
                int held = model.getOrDefault(holder, 0);
                boolean may = inside.size() < max && held < 3 * (max - inside.size());
                assertThat(quota.tryAcquire(holder)).as("seed %d, step %d", seed, step).isEqualTo(may);
                if (may) {
                    model.merge(holder, 1, Integer::sum);
                    inside.add(holder);
                }
            } else if (!inside.isEmpty()) {
                long holder = inside.remove(random.nextInt(inside.size()));
                model.merge(holder, -1, Integer::sum);
                quota.release(holder);
            }
            assertThat(quota.taken()).isEqualTo(inside.size());
        }
    }
}
