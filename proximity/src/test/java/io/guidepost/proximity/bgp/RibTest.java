package io.guidepost.proximity.bgp;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.policy.ImportPolicy;
import io.guidepost.proximity.policy.ImportRefusal;
import io.guidepost.proximity.policy.PrefixList;
import io.guidepost.proximity.rpki.Vrp;
import io.guidepost.proximity.rpki.VrpTable;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What peers told, and what follows from it for the network, against a slow model. */
class RibTest {
    private static final Address NOWHERE = BgpRoute.NOWHERE;

    private static RouteExit exit(int number) {
        return new RouteExit(Address.ofIpv4(number), 0);
    }

    private static RibPeer peer(Rib rib, String name, int exit) {
        return rib.peer(name, new RouteExitRule.Fixed(exit(exit))).orElseThrow();
    }

    private static Map<String, Set<String>> told(OperatorNetwork network) {
        Map<String, Set<String>> told = new TreeMap<>();
        network.forEach((prefix, all) -> {
            Set<String> each = new TreeSet<>();
            all.forEach(at -> each.add(at.toString()));
            told.put(prefix.toString(), each);
        });
        return told;
    }

    /** RFC 6811 section 2: a path that ends with a set has no origin, so no VRP makes it valid. */
    @Test
    void anAggregateIsInvalidWhereAVrpCoversIt() throws Exception {
        Rib rib = new Rib();
        OperatorNetwork network = new OperatorNetwork();
        Prefix ten = Prefix.parse("10.0.0.0/8");
        RibPeer peer = peer(rib, "a", 1);
        rib.vrps(VrpTable.of(List.of(new Vrp(ten, ten.length(), 7))));
        peer.announced(ten, 0, new BgpRoute(7, 2, false, NOWHERE));
        rib.drainInto(network);
        assertThat(network.attachments(ten)).hasSize(1);
        peer.announced(ten, 0, new BgpRoute(7, 2, true, NOWHERE));
        rib.drainInto(network);
        assertThat(network.attachments(ten)).isEmpty();
        assertThat(peer.refusals().get(ImportRefusal.RPKI_INVALID)).isEqualTo(1);
        rib.vrps(VrpTable.EMPTY);
        rib.drainInto(network);
        assertThat(network.attachments(ten)).as("found no more").hasSize(1);
    }

    @Test
    void theNearestOfSeveralPeersAtOneExitCounts() throws Exception {
        Rib rib = new Rib();
        OperatorNetwork network = new OperatorNetwork();
        Prefix ten = Prefix.parse("10.0.0.0/8");
        RibPeer far = peer(rib, "far", 1);
        RibPeer near = peer(rib, "near", 1);
        RibPeer other = peer(rib, "other", 2);
        far.announced(ten, 0, new BgpRoute(7, 5, false, NOWHERE));
        near.announced(ten, 0, new BgpRoute(8, 2, false, NOWHERE));
        other.announced(ten, 0, new BgpRoute(9, 0, false, NOWHERE));
        rib.drainInto(network);
        assertThat(network.attachments(ten))
                .containsExactlyInAnyOrder(
                        PrefixAttachment.external(Address.ofIpv4(1), 0, 8, 2), PrefixAttachment.internal(Address.ofIpv4(2), 0));
        near.withdrawn(ten, 0);
        other.withdrawn(ten, 0);
        rib.drainInto(network);
        assertThat(network.attachments(ten)).containsExactly(PrefixAttachment.external(Address.ofIpv4(1), 0, 7, 5));
        assertThat(network.topology().routers()).containsOnlyKeys(Address.ofIpv4(1), Address.ofIpv4(2));
    }

    @Test
    void nothingToldAgainChangesNothing() throws Exception {
        Rib rib = new Rib();
        RibPeer peer = peer(rib, "a", 1);
        Prefix ten = Prefix.parse("10.0.0.0/8");
        peer.announced(ten, 0, new BgpRoute(7, 5, false, NOWHERE));
        rib.drainInto(new OperatorNetwork());
        peer.announced(ten, 0, new BgpRoute(7, 5, false, NOWHERE));
        peer.withdrawn(Prefix.parse("11.0.0.0/8"), 0);
        assertThat(rib.touched()).isZero();
    }

    @Test
    void routesOfALostSessionStayForAWhile() throws Exception {
        Rib rib = new Rib();
        OperatorNetwork network = new OperatorNetwork();
        RibPeer peer = peer(rib, "a", 1);
        Prefix ten = Prefix.parse("10.0.0.0/8");
        Prefix eleven = Prefix.parse("11.0.0.0/8");
        Prefix six = Prefix.parse("2001:db8::/32");
        peer.established();
        List.of(ten, eleven, six).forEach(each -> peer.announced(each, 0, new BgpRoute(7, 5, false, NOWHERE)));
        peer.lost(1000, 50);
        rib.expire(1049);
        rib.drainInto(network);
        assertThat(network.prefixes()).isEqualTo(3);

        peer.established();
        peer.announced(ten, 0, new BgpRoute(7, 5, false, NOWHERE));
        assertThat(rib.touched()).isZero();
        peer.endOfRib(AddressFamily.IPV4);
        rib.drainInto(network);
        assertThat(told(network)).containsOnlyKeys("10.0.0.0/8", "2001:db8::/32");
        rib.expire(1050);
        rib.drainInto(network);
        assertThat(told(network)).containsOnlyKeys("10.0.0.0/8");
        assertThat(peer.routes(AddressFamily.IPV4) + peer.routes(AddressFamily.IPV6)).isEqualTo(1);

        peer.lost(2000, 0);
        rib.drainInto(network);
        assertThat(network.prefixes()).isZero();
        assertThat(rib.routes()).isZero();
    }

    @Test
    void aRouteReflectorNamesExitsByNextHops() throws Exception {
        Rib rib = new Rib();
        OperatorNetwork network = new OperatorNetwork();
        RibPeer reflector = rib.peer("rr", new RouteExitRule.NextHop(3)).orElseThrow();
        Prefix ten = Prefix.parse("10.0.0.0/8");
        reflector.announced(ten, 1, new BgpRoute(7, 5, false, Address.ofIpv4(1)));
        reflector.announced(ten, 2, new BgpRoute(7, 4, false, Address.ofIpv4(2)));
        reflector.announced(ten, 1, new BgpRoute(7, 5, false, Address.ofIpv4(9)));
        rib.drainInto(network);
        assertThat(network.attachments(ten))
                .containsExactlyInAnyOrder(
                        PrefixAttachment.external(Address.ofIpv4(9), 3, 7, 5), PrefixAttachment.external(Address.ofIpv4(2), 3, 7, 4));
    }

    /** What policy refuses stays in the table, and is imported once policy allows it. */
    @Test
    void anotherPolicyLetsRoutesInThatWereTold() throws Exception {
        Rib rib = new Rib();
        OperatorNetwork network = new OperatorNetwork();
        RibPeer peer = peer(rib, "a", 1);
        Prefix eight = Prefix.parse("8.0.0.0/8");
        peer.policy(new ImportPolicy(Optional.of(PrefixList.NONE), 0));
        peer.announced(eight, 0, new BgpRoute(7, 5, false, NOWHERE));
        rib.drainInto(network);
        assertThat(network.prefixes()).isZero();
        assertThat(rib.routes()).isEqualTo(1);
        peer.policy(ImportPolicy.DEFAULT);
        rib.drainInto(network);
        assertThat(network.attachments(eight)).hasSize(1);
        peer.policy(new ImportPolicy(Optional.of(PrefixList.NONE), 0));
        rib.drainInto(network);
        assertThat(network.prefixes()).isZero();
    }

    /** A peer at the very exit of an own prefix announces it: neither what it tells nor its going takes the operator's own away. */
    @Test
    void anOwnPrefixOutlivesWhatIsToldAtItsExit() throws Exception {
        Rib rib = new Rib();
        OperatorNetwork network = new OperatorNetwork();
        Prefix ten = Prefix.parse("10.0.0.0/8");
        PrefixAttachment own = PrefixAttachment.internal(Address.ofIpv4(1), 0);
        network.add(ten, own);
        rib.fill(network);
        RibPeer peer = peer(rib, "a", 1);
        peer.announced(ten, 0, new BgpRoute(7, 5, false, NOWHERE));
        rib.drainInto(network);
        assertThat(network.attachments(ten)).containsExactly(own);
        peer.withdrawn(ten, 0);
        rib.drainInto(network);
        assertThat(network.attachments(ten)).containsExactly(own);
    }

    @Test
    void onePeerCannotMakeARunOfOnePrefixTooLong() throws Exception {
        Rib rib = new Rib();
        RibPeer peer = peer(rib, "a", 1);
        Prefix ten = Prefix.parse("10.0.0.0/8");
        for (int i = 0; i < BgpLimits.PATHS_MAX + 10; i++) {
            peer.announced(ten, i, new BgpRoute(7, 5, false, NOWHERE));
        }
        assertThat(rib.routes()).isEqualTo(BgpLimits.PATHS_MAX);
        assertThat(rib.refused()).isEqualTo(10);
    }

    /** What one peer told, by prefix and path id, and whether it is of the session before. */
    private record Said(Prefix prefix, int pathId) {}

    private static final class ModelPeer {
        final Map<Said, BgpRoute> now = new HashMap<>();
        final Map<Said, BgpRoute> old = new HashMap<>();
        boolean up = true;
    }

    /** Random stories of four peers at two exits: the network is what a model that keeps everything in maps says. */
    @Test
    void followsRandomStoriesAsTheModelDoes() throws Exception {
        long seed = 6;
        SplittableRandom random = new SplittableRandom(seed);
        List<Prefix> prefixes = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            prefixes.add(i % 3 == 0
                    ? Prefix.parse("2001:db8:" + Integer.toHexString(random.nextInt(200)) + "::/" + random.nextInt(40, 50))
                    : Prefix.ofIpv4(16 << 24 | random.nextInt(64) << 20, random.nextInt(8, 25)));
        }
        Rib rib = new Rib();
        OperatorNetwork network = new OperatorNetwork();
        List<RibPeer> peers = new ArrayList<>();
        List<ModelPeer> models = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            peers.add(peer(rib, "p" + i, 1 + i / 2));
            peers.get(i).established();
            models.add(new ModelPeer());
        }
        for (int step = 0; step < 60_000; step++) {
            int which = random.nextInt(4);
            RibPeer peer = peers.get(which);
            ModelPeer model = models.get(which);
            Said said = new Said(prefixes.get(random.nextInt(prefixes.size())), random.nextInt(2));
            int what = random.nextInt(1000);
            if (what < 600 && model.up) {
                BgpRoute route = new BgpRoute(random.nextInt(1, 4), random.nextInt(4), false, NOWHERE);
                peer.announced(said.prefix, said.pathId, route);
                model.old.remove(said);
                model.now.put(said, route);
            } else if (what < 990 && model.up) {
                peer.withdrawn(said.prefix, said.pathId);
                model.old.remove(said);
                model.now.remove(said);
            } else if (what < 994) {
                model.old.putAll(model.now);
                model.now.clear();
                boolean grace = random.nextBoolean() && model.up;
                if (!grace) {
                    model.old.clear();
                }
                peer.lost(0, grace ? Long.MAX_VALUE : 0);
                peer.established();
                model.up = true;
            } else if (what < 998 && model.up) {
                AddressFamily family = random.nextBoolean() ? AddressFamily.IPV4 : AddressFamily.IPV6;
                peer.endOfRib(family);
                model.old.keySet().removeIf(each -> AddressFamily.of(each.prefix) == family);
            } else if (what == 999) {
                rib.drainInto(network);
                Map<String, Set<String>> expected = expected(models);
                assertThat(told(network)).as("seed " + seed + " step " + step).isEqualTo(expected);
                if (random.nextInt(4) == 0) {
                    network = new OperatorNetwork();
                    rib.fill(network);
                    assertThat(told(network)).as("filled, seed " + seed + " step " + step).isEqualTo(expected);
                }
            }
        }
        int size = models.stream().mapToInt(each -> each.now.size() + each.old.size()).sum();
        assertThat(rib.routes()).isEqualTo(size).isPositive();
    }

    private static Map<String, Set<String>> expected(List<ModelPeer> models) {
        Map<String, Map<Integer, BgpRoute>> best = new TreeMap<>();
        for (int i = 0; i < models.size(); i++) {
            int exit = 1 + i / 2;
            for (Map<Said, BgpRoute> each : List.of(models.get(i).now, models.get(i).old)) {
                each.forEach((said, route) -> best.computeIfAbsent(said.prefix.toString(), key -> new HashMap<>())
                        .merge(exit, route, RibTest::nearer));
            }
        }
        Map<String, Set<String>> expected = new TreeMap<>();
        best.forEach((prefix, byExit) -> byExit.forEach((exit, route) -> expected.computeIfAbsent(prefix, key -> new TreeSet<>())
                .add((route.distance() == 0
                                ? PrefixAttachment.internal(Address.ofIpv4(exit), 0)
                                : PrefixAttachment.external(Address.ofIpv4(exit), 0, route.origin(), route.distance()))
                        .toString())));
        return expected;
    }

    private static BgpRoute nearer(BgpRoute left, BgpRoute right) {
        int order = Integer.compare(left.distance(), right.distance());
        order = order != 0 ? order : Long.compare(left.origin(), right.origin());
        return order <= 0 ? left : right;
    }

    /** Says how much memory a full table from two peers takes. */
    @Test
    @Tag("long")
    void memoryOfAFullTableFromTwoPeers() {
        Rib rib = new Rib();
        RibPeer[] peers = {peer(rib, "a", 1), peer(rib, "b", 2)};
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 306_388; i++) {
            Prefix prefix = Prefix.ofIpv4(random.nextInt(), random.nextInt(16, 25));
            for (RibPeer each : peers) {
                each.announced(prefix, 0, new BgpRoute(random.nextInt(1, 26_424), random.nextInt(1, 8), false, NOWHERE));
            }
        }
        System.out.printf("%d routes in %d bytes: %.0f bytes a route%n",
                rib.routes(), rib.bytes(), (double) rib.bytes() / rib.routes());
        assertThat((double) rib.bytes() / rib.routes()).isLessThan(110);
    }
}
