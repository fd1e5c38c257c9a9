package io.guidepost.proximity.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.proximity.topology.TestNetworks;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Ranking a list of addresses allocates nothing, once the compiler has done its work. */
class RankingAllocationTest {
    private static final int WARM_UP_ROUNDS_MAX = 200;
    private static final int LISTS = 2_000;
    private static final int LIST = 100;

    /** An object of the smallest size for each of 20,000 lists would be 320,000 bytes. */
    private static final long BYTES_MAX = 16 * 1024;

    private final Ranking ranking = Ranking.of(TestNetworks.ofRouters(TestNetworks.ROUTERS), RankingFunction.STANDARD, 1);
    private final CountingSort order = new CountingSort(LIST);
    private final int[] addresses = new SplittableRandom(3).ints(1 << 12).toArray();
    private long ranked;

    private long allocated(int lists) {
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < lists; i++) {
            int source = ranking.source(ranking.placeIpv4(addresses[i & addresses.length - 1]));
            char[] ranks = ranking.ranks(source);
            for (int k = 0; k < LIST; k++) {
                int address = addresses[i + k & addresses.length - 1];
                order.ranks()[k] =
                        ranks[k % 10 == 0 ? ranking.place(0x2001L << 48, address) : ranking.placeIpv4(address)];
            }
            ranked += order.sort(LIST, false);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void rankingAllocatesNothing() {
        int quietRounds = 0;
        for (int round = 0; round < WARM_UP_ROUNDS_MAX && quietRounds < 10; round++) {
            quietRounds = allocated(LISTS) == 0 ? quietRounds + 1 : 0;
        }
        assertThat(allocated(10 * LISTS)).isLessThan(BYTES_MAX);
        assertThat(ranked).isPositive();
    }
}
