package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExpiringHashTableTest {
    private static final int LASTS = 10_000;

    private static long numberOf(long high, long low, long extra) {
        return (high * 31 + low) * 31 + extra & Long.MAX_VALUE;
    }

    @Test
    void whatWasPutIsFoundUntilItIsOver() {
        ExpiringHashTable table = new ExpiringHashTable(64);
        table.put(1, 2, 3, 77, 1000, LASTS);
        assertThat(table.find(1, 2, 3, 1000)).isEqualTo(77);
        assertThat(table.find(1, 2, 4, 1000)).isEqualTo(ExpiringHashTable.NONE);
        assertThat(table.find(1, 2, 3, 1000 + LASTS - 1)).isEqualTo(77);
        assertThat(table.find(1, 2, 3, 1000 + LASTS)).isEqualTo(ExpiringHashTable.NONE);
        table.put(1, 2, 3, 78, 1500, LASTS);
        assertThat(table.find(1, 2, 3, 1500)).isEqualTo(78);
        // Less than a second longer is not worth a write.
        table.put(1, 2, 3, 78, 2000, LASTS);
        assertThat(table.find(1, 2, 3, 1500 + LASTS)).isEqualTo(ExpiringHashTable.NONE);
        table.put(1, 2, 3, 78, 2500, LASTS);
        assertThat(table.find(1, 2, 3, 2499 + LASTS)).isEqualTo(78);
        assertThat(table.count(2500)).isEqualTo(1);
        assertThat(table.crowded()).isZero();
    }

    @Test
    void itNeverGrowsAndTellsWhatHadToMakePlace() {
        ExpiringHashTable table = new ExpiringHashTable(64);
        Map<Long, Long> all = new HashMap<>();
        SplittableRandom random = new SplittableRandom(1);
        for (long i = 0; i < 1000; i++) {
            long high = random.nextLong();
            all.put(high, i);
            table.put(high, 0, 0, i, i, LASTS);
            assertThat(table.find(high, 0, 0, i)).isEqualTo(i);
        }
        long found = all.entrySet().stream()
                .filter(each -> table.find(each.getKey(), 0, 0, 1000) == each.getValue())
                .count();
        assertThat(found).isEqualTo(table.count(1000)).isBetween(48L, 64L);
        assertThat(table.crowded()).isEqualTo(1000 - found);
    }

    @Test
    void threadsNeverFindTheNumberOfAnotherKey() throws Exception {
        ExpiringHashTable table = new ExpiringHashTable(16);
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Callable<Integer>> tasks = IntStream.range(0, 3).<Callable<Integer>>mapToObj(seed -> () -> {
                SplittableRandom random = new SplittableRandom(seed);
                int hits = 0;
                for (int i = 0; i < 300_000; i++) {
                    // 64 keys, four times what there is place for; their parts are shared, so that a torn row would show.
                    long high = random.nextInt(4);
                    long low = random.nextInt(4);
                    long extra = random.nextInt(4);
                    if (random.nextBoolean()) {
                        table.put(high, low, extra, numberOf(high, low, extra), i, LASTS);
                    } else {
                        long found = table.find(high, low, extra, i);
                        if (found != ExpiringHashTable.NONE) {
                            hits++;
                            assertThat(found).isEqualTo(numberOf(high, low, extra));
                        }
                    }
                }
                return hits;
            }).toList();
            for (Future<Integer> each : threads.invokeAll(tasks)) {
                assertThat(each.get()).isPositive();
            }
        }
    }
}
