package io.guidepost.proximity.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order is that of a stable sort. */
class CountingSortTest {
    /** What a datagram has room for. */
    private static final int LIST_MAX = 363;

    /** What the largest datagram has room for, four bytes each. */
    private static final int LONGEST = 1 << 14;

    private final CountingSort order = new CountingSort(LONGEST);

    private void assertStable(char[] ranks) {
        System.arraycopy(ranks, 0, order.ranks(), 0, ranks.length);
        List<Integer> sorted = IntStream.range(0, ranks.length)
                .boxed()
                .sorted(Comparator.comparingInt(i -> ranks[i]))
                .toList();
        int known = (int) IntStream.range(0, ranks.length).filter(i -> ranks[i] != Ranking.UNRANKED).count();
        assertThat(order.sort(ranks.length, false)).isEqualTo(known);
        assertThat(order.sort(ranks.length, true)).isEqualTo(ranks.length);
        assertThat(order.unknown()).isEqualTo(ranks.length - known);
        for (int i = 0; i < ranks.length; i++) {
            assertThat((int) order.positions()[sorted.get(i)]).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 19, 254, 255, 256, 257, 1000, 65_535})
    void sortsWhateverRanksThereAre(int different) {
        SplittableRandom random = new SplittableRandom(different);
        for (int size : new int[] {0, 1, 2, 10, 100, LIST_MAX}) {
            char[] ranks = new char[size];
            for (int i = 0; i < size; i++) {
                ranks[i] = random.nextInt(10) == 0 ? Ranking.UNRANKED : (char) random.nextInt(different);
            }
            assertStable(ranks);
        }
    }

    @Test
    void sortsWhereTheGreatestIsAtTheEdgeOfAByte() {
        for (int greatest = 250; greatest < 260; greatest++) {
            assertStable(new char[] {(char) greatest, Ranking.UNRANKED, 0, (char) greatest, (char) (greatest - 1), Ranking.UNRANKED});
        }
    }

    @Test
    void sortsAsAStableSortDoes() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 3_000; round++) {
            int different = 1 << random.nextInt(1, 17);
            char[] ranks = new char[random.nextInt(LIST_MAX + 1)];
            for (int i = 0; i < ranks.length; i++) {
                ranks[i] = random.nextInt(10) == 0 ? Ranking.UNRANKED : (char) random.nextInt(different);
            }
            assertStable(ranks);
        }
    }

    @Test
    void sortsTheLongestList() {
        SplittableRandom random = new SplittableRandom(8);
        char[] ranks = new char[LONGEST];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = (char) random.nextInt(1 << 16);
        }
        assertStable(ranks);
    }

    @Test
    void sortsNothing() {
        assertThat(order.sort(0, false)).isZero();
    }
}
