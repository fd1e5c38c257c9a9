package io.guidepost.proximity.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.TestNetworks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rankings against {@link RankingModel}: a million questions in all. */
class RankingModelTest {
    private static final RankingFunction BY_NUMBER = new RankingFunction() {
        @Override
        public double cost(PathMetrics way) {
            return way.asNumber() == 3 ? Double.NaN : way.asNumber() + way.latency() / 8 - way.congestion();
        }

        @Override
        public boolean usesAsNumber() {
            return true;
        }
    };

    private static int place(Ranking ranking, Address address) {
        int place = ranking.place(address.high(), address.low());
        if (address.isIpv4()) {
            assertThat(ranking.placeIpv4(address.ipv4())).isEqualTo(place);
        }
        return place;
    }

    /** Compares all that a snapshot says of pairs of addresses. */
    private static void compare(Ranking ranking, RankingModel oracle, List<Address> addresses, String seed) {
        List<List<PrefixAttachment>> hangs = addresses.stream().map(oracle::attachments).toList();
        for (int i = 0; i < addresses.size(); i++) {
            Address each = addresses.get(i);
            assertThat(ranking.longest(each.high(), each.low())).as("%s %s", seed, each).isEqualTo(oracle.longest(each));
            assertThat(place(ranking, each) != Ranking.NOWHERE).isEqualTo(!hangs.get(i).isEmpty());
        }
        for (int i = 0; i < addresses.size(); i++) {
            Address client = addresses.get(i);
            int source = ranking.source(place(ranking, client));
            Optional<Address> router = oracle.source(hangs.get(i));
            assertThat(source == Ranking.NO_SOURCE ? Optional.empty() : Optional.of(ranking.router(source)))
                    .as("%s source of %s", seed, client)
                    .isEqualTo(router);
            char[] ranks = ranking.ranks(source);
            double lastCost = Double.NaN;
            char lastRank = Ranking.UNRANKED;
            for (int k = 0; k < addresses.size(); k++) {
                Address candidate = addresses.get(k);
                int place = place(ranking, candidate);
                double cost = router.isEmpty() ? Double.NaN : oracle.cost(router.get(), hangs.get(k));
                if (ranking.cost(source, place) != cost && !(Double.isNaN(cost) && Double.isNaN(ranking.cost(source, place)))) {
                    throw new AssertionError(seed + ": from " + client + " to " + candidate + " it is " + cost + ", not "
                            + ranking.cost(source, place));
                }
                char rank = ranks[place];
                if (Double.isNaN(cost)) {
                    assertThat(rank).isEqualTo(Ranking.UNRANKED);
                    continue;
                }
                assertThat(rank).isNotEqualTo(Ranking.UNRANKED);
                if (!Double.isNaN(lastCost)) {
                    assertThat(Integer.signum(Character.compare(lastRank, rank)))
                            .as("%s rank of %s from %s", seed, candidate, client)
                            .isEqualTo(Double.compare(lastCost, cost + 0.0));
                }
                lastCost = cost + 0.0;
                lastRank = rank;
            }
        }
    }

    private static void explain(Ranking ranking, RankingModel oracle, List<Address> addresses, String seed) {
        for (int i = 1; i < addresses.size(); i++) {
            int source = ranking.source(place(ranking, addresses.get(i - 1)));
            int place = place(ranking, addresses.get(i));
            Optional<RankingModel.Reached> reached = source == Ranking.NO_SOURCE
                    ? Optional.empty()
                    : oracle.reach(ranking.router(source), oracle.attachments(addresses.get(i)));
            assertThat(ranking.metrics(source, place)).as(seed).isEqualTo(reached.map(oracle::metrics));
            assertThat(ranking.path(source, place))
                    .as(seed)
                    .isEqualTo(reached.map(each -> each.way().routers()).orElse(List.of()));
        }
    }

    private static void same(Ranking ranking, Ranking other, List<Address> addresses, String seed) {
        Map<Prefix, Integer> told = new HashMap<>();
        ranking.forEachPrefix(told::put);
        other.forEachPrefix((prefix, place) -> {
            Integer there = told.remove(prefix);
            assertThat(there).as("%s %s", seed, prefix).isNotNull();
            assertThat(ranking.attachments(there)).as(seed).isEqualTo(other.attachments(place));
        });
        assertThat(told).as(seed).isEmpty();
        for (Address each : addresses) {
            assertThat(ranking.attachments(place(ranking, each)))
                    .as("%s %s", seed, each)
                    .isEqualTo(other.attachments(place(other, each)));
            assertThat(ranking.asNumber(each.high(), each.low())).isEqualTo(other.asNumber(each.high(), each.low()));
        }
    }

    private static void smallNetworks(int from, int to) {
        for (int seed = from; seed < to; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            RandomRankedNetworks invented = new RandomRankedNetworks(random);
            RankingFunction function = random.nextBoolean() ? RankingFunction.STANDARD : BY_NUMBER;
            OperatorNetwork network = invented.network();
            Ranking ranking = Ranking.of(network, function, 1);
            for (int round = 0; round < 4; round++) {
                List<Address> addresses = new ArrayList<>();
                for (int i = 0; i < 60; i++) {
                    addresses.add(invented.address());
                }
                RankingModel oracle = new RankingModel(network, function);
                compare(ranking, oracle, addresses, "seed " + seed);
                explain(ranking, oracle, addresses, "seed " + seed);
                same(ranking, Ranking.of(network, function, 1), addresses, "seed " + seed);
                for (int i = random.nextInt(10); i >= 0; i--) {
                    invented.edit(network);
                }
                ranking = ranking.next(network, function);
            }
        }
    }

    /** 40 networks, each as it is and after three rounds of changes: 576,000 questions. */
    @Test
    void smallNetworksAreRankedAsTheSlowOracleDoes() {
        smallNetworks(0, 40);
    }

    @Test
    @Tag("long")
    void manySmallNetworksAreRankedAsTheSlowOracleDoes() {
        smallNetworks(1_000, 3_000);
    }

    /** 216 routers and 67,111 prefixes: 440,000 questions, from 20 clients to 22,000 pairs of addresses. */
    @Test
    void theNetworkOfTheThesisIsRankedAsTheSlowOracleDoes() {
        OperatorNetwork network = TestNetworks.ofRouters(TestNetworks.ROUTERS);
        RankingModel oracle = new RankingModel(network, RankingFunction.STANDARD);
        Ranking ranking = Ranking.of(network, RankingFunction.STANDARD, 1);
        SplittableRandom random = new SplittableRandom(6);
        List<Address> known = new ArrayList<>();
        List<List<PrefixAttachment>> hangs = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            known.add(Address.ofIpv4(i % 3 == 0 ? (130 << 24 | 149 << 16) + random.nextInt(1 << 16) : random.nextInt()));
            hangs.add(oracle.attachments(known.get(i)));
        }
        for (int i = 0; i < 440; i++) {
            Address router = oracle.source(hangs.get(i)).orElseThrow();
            int source = ranking.source(place(ranking, known.get(i)));
            assertThat(ranking.router(source)).isEqualTo(router);
            char[] ranks = ranking.ranks(source);
            double lastCost = oracle.cost(router, hangs.getFirst());
            char lastRank = ranks[ranking.placeIpv4(known.getFirst().ipv4())];
            for (int k = 0; k < 1_000; k++) {
                double cost = oracle.cost(router, hangs.get(k));
                int place = ranking.placeIpv4(known.get(k).ipv4());
                if (ranking.cost(source, place) != cost
                        || Integer.signum(Character.compare(ranks[place], lastRank)) != Double.compare(cost, lastCost)) {
                    throw new AssertionError("from " + known.get(i) + " to " + known.get(k) + ": " + cost);
                }
                lastCost = cost;
                lastRank = ranks[place];
            }
        }
        assertThat(ranking.prefixes()).isEqualTo(67_111);
    }
}
