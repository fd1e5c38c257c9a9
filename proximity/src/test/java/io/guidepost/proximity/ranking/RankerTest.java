package io.guidepost.proximity.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Counting against a stable sort that compares. */
class RankerTest {
    private static int[] sorted(char[] ranks, int[] places) {
        return IntStream.range(0, places.length)
                .boxed()
                .sorted(Comparator.comparingInt(each -> ranks[places[each]]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    @Test
    void ordersAsAStableSortDoes() {
        SplittableRandom random = new SplittableRandom(7);
        Ranker ranker = new Ranker();
        for (int round = 0; round < 3_000; round++) {
            int different = 1 << random.nextInt(1, 17);
            char[] ranks = new char[random.nextInt(1, 5_000)];
            for (int i = 0; i < ranks.length; i++) {
                ranks[i] = random.nextInt(10) == 0 ? Ranking.UNRANKED : (char) random.nextInt(different);
            }
            int count = random.nextInt(364);
            int[] places = random.ints(count, 0, ranks.length).toArray();
            int[] order = new int[count];
            int ranked = ranker.rank(ranks, places, count, order);
            assertThat(order).isEqualTo(sorted(ranks, places));
            assertThat(ranked)
                    .isEqualTo((int) Arrays.stream(places).filter(each -> ranks[each] != Ranking.UNRANKED).count());
        }
    }

    @Test
    void ordersTheLongestList() {
        SplittableRandom random = new SplittableRandom(8);
        char[] ranks = new char[40_000];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = (char) random.nextInt(1 << 16);
        }
        int[] places = random.ints(Ranker.CANDIDATES_MAX, 0, ranks.length).toArray();
        int[] order = new int[places.length];
        new Ranker().rank(ranks, places, places.length, order);
        assertThat(order).isEqualTo(sorted(ranks, places));
    }

    @Test
    void ordersNothing() {
        assertThat(new Ranker().rank(new char[] {Ranking.UNRANKED}, new int[0], 0, new int[0])).isZero();
    }
}
