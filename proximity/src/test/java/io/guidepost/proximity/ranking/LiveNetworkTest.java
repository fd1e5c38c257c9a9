package io.guidepost.proximity.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.TestNetworks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Changes while others ask. */
class LiveNetworkTest {
    private static final int PAIRS = 500;

    /** Prefixes of a pair are far from each other, where no others are, and always move from exit to exit together. */
    private static Prefix left(int pair) {
        return Prefix.ofIpv4(241 << 24 | pair << 10, 25);
    }

    private static Prefix right(int pair) {
        return pair % 5 == 0
                ? new Prefix(0x2001000000000000L + ((long) pair << 16), 0, 48)
                : Prefix.ofIpv4(250 << 24 | pair << 13, 19);
    }

    @Test
    void nobodySeesHalfOfAChange() throws InterruptedException, ExecutionException, Malformed {
        List<Address> exits = List.of(Address.parse("10.5.2.1"), Address.parse("10.6.2.1"), Address.parse("10.9.2.1"));
        try (LiveNetwork live = new LiveNetwork()) {
            live.replace(TestNetworks.ofRouters(TestNetworks.ROUTERS), RankingFunction.STANDARD);
            live.change(network -> move(network, exits, 0));
            live.settle();
            AtomicBoolean over = new AtomicBoolean();
            List<FutureTask<Long>> readers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                readers.add(new FutureTask<>(() -> read(live, over)));
                Thread.ofPlatform().daemon(true).start(readers.get(i));
            }
            for (int round = 1; round <= 60; round++) {
                int turn = round;
                live.change(network -> move(network, exits, turn));
                if (round % 3 == 0) {
                    live.settle();
                }
            }
            live.settle();
            over.set(true);
            for (FutureTask<Long> each : readers) {
                assertThat(each.get()).as("pairs that were looked at").isPositive();
            }
        }
    }

    /** Moves both of each pair; the distance is new each time, so that places are new as well. */
    private static void move(OperatorNetwork network, List<Address> exits, int round) {
        SplittableRandom random = new SplittableRandom(round);
        for (int pair = 0; pair < PAIRS; pair++) {
            PrefixAttachment next = PrefixAttachment.external(exits.get(random.nextInt(3)), 90, 7, random.nextInt(2 + round));
            network.remove(left(pair));
            network.remove(right(pair));
            network.add(left(pair), next);
            network.add(right(pair), next);
        }
    }

    private static long read(LiveNetwork live, AtomicBoolean over) {
        long looked = 0;
        long lastVersion = 0;
        while (!over.get()) {
            Ranking ranking = live.current();
            assertThat(ranking.version()).isGreaterThanOrEqualTo(lastVersion);
            lastVersion = ranking.version();
            char[] ranks = ranking.ranks((int) (looked % 216));
            for (int pair = 0; pair < PAIRS; pair++) {
                int left = ranking.place(left(pair).high(), left(pair).low());
                int right = ranking.place(right(pair).high(), right(pair).low());
                if (left != right || left == Ranking.NOWHERE || ranks[left] == Ranking.UNRANKED) {
                    throw new AssertionError("pair " + pair + " is at " + left + " and " + right);
                }
                looked++;
            }
        }
        return looked;
    }

    @Test
    void changesAreInForceAfterSettling() throws InterruptedException, Malformed {
        Prefix prefix = Prefix.parse("130.149.7.128/25");
        List<Long> versions = new CopyOnWriteArrayList<>();
        try (LiveNetwork live = new LiveNetwork()) {
            live.onPublished(each -> versions.add(each.version()));
            live.replace(TestNetworks.small(), RankingFunction.STANDARD);
            int before = live.settle().prefixes();
            live.change(network -> network.add(prefix, PrefixAttachment.internal(Address.ofIpv4(10 << 24 | 1 << 16 | 1), 9)));
            Ranking after = live.settle();
            assertThat(after.prefixes()).isEqualTo(before + 1);
            assertThat(after.longest(prefix.high(), prefix.low())).contains(prefix);
            assertThat(after.version()).isEqualTo(2);
            assertThat(versions).containsExactly(1L, 2L);
            live.replace(new OperatorNetwork(), RankingFunction.STANDARD);
            assertThat(live.settle().prefixes()).isZero();
        }
    }

    @Test
    void aNetworkIsChangedWhileASnapshotOfItIsMade() throws InterruptedException {
        CountDownLatch making = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (LiveNetwork live = new LiveNetwork()) {
            live.onPublished(each -> {
                making.countDown();
                try {
                    mayEnd.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            live.replace(TestNetworks.small(), RankingFunction.STANDARD);
            making.await();
            Prefix prefix = Prefix.ofIpv4(241 << 24, 25);
            // Would wait for ever if the publisher had the lock.
            live.change(network -> network.add(prefix, PrefixAttachment.internal(Address.ofIpv4(10 << 24 | 1 << 16 | 1), 9)));
            assertThat(live.<Integer>read(network -> network.attachments(prefix).size())).isEqualTo(1);
            assertThat(live.current().longest(prefix.high(), prefix.low())).isNotEqualTo(Optional.of(prefix));
            mayEnd.countDown();
            assertThat(live.settle().longest(prefix.high(), prefix.low())).contains(prefix);
        }
    }
}
