package io.guidepost.gnrs;

import static io.guidepost.gnrs.GnrsDoorTest.insert;
import static io.guidepost.gnrs.GnrsDoorTest.lookup;
import static io.guidepost.gnrs.GnrsDoorTest.place;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.gnrs.GnrsDoorStand.Peer;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Answers arrive nearest first, and nothing else about them changes. */
class NearestFirstOrderTest {
    private static final int ROUTERS = 5;
    private static final Peer NEAR_FIRST = Peer.of("10.0.1.200", GnrsDoorStand.PORT);
    private static final Peer UNKNOWN = Peer.of("203.0.113.9", GnrsDoorStand.PORT);
    private static final Guid G = Guid.ofAscii("alice");

    private final GnrsDoorStand stand = new GnrsDoorStand();

    /** Routers in a line, each with the clients of 10.0.i.0/24 and 2001:db8:i::/48. */
    static Ranking line() {
        try {
            return network();
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    private static Ranking network() throws Malformed {
        OperatorNetwork network = new OperatorNetwork();
        for (int i = 1; i <= ROUTERS; i++) {
            List<Nic> nics = new ArrayList<>();
            if (i > 1) {
                nics.add(nic(0, "10.9." + (i - 1) + ".2", "10.9." + (i - 1) + ".1"));
            }
            if (i < ROUTERS) {
                nics.add(nic(1, "10.9." + i + ".1", "10.9." + i + ".2"));
            }
            Address id = Address.parse("10.8.0." + i);
            network.topology(network.topology().with(new TopologyRouter(id, true, 3, nics, List.of())));
            network.add(Prefix.parse("10.0." + i + ".0/24"), PrefixAttachment.internal(id, 2));
            network.add(Prefix.parse("2001:db8:" + i + "::/48"), PrefixAttachment.internal(id, 2));
        }
        return Ranking.of(network, RankingFunction.STANDARD, 1);
    }

    private static Nic nic(int index, String own, String peer) throws Malformed {
        return new Nic(index, Address.parse(own), Address.parse(peer), true, new TopologyLink(1, 1000, 0, 1));
    }

    private List<Locator> asked(Peer peer, GnrsOption... options) {
        return ((GnrsMessage.LookupResponse) stand.one(peer, lookup(G, options))).locators();
    }

    @Test
    void placesComeNearestFirstForWhoeverAsks() {
        stand.door.nearestFirst(NearestFirstOrderTest::line);
        Locator far = place("10.0.4.1", 1);
        Locator near = place("10.0.2.1", 2);
        Locator nobodys = place("198.51.100.1", 3);
        stand.one(GnrsDoorStand.LOOPBACK, insert(G, Binding.of(nobodys), Binding.of(far), Binding.of(near)));
        assertThat(asked(NEAR_FIRST)).containsExactly(near, far, nobodys);
        assertThat(asked(Peer.of("10.0.5.7", 9))).containsExactly(far, near, nobodys);
        assertThat(asked(UNKNOWN)).containsExactly(nobodys, far, near);
        assertThat(stand.count(GnrsCount.ORDERED_RESPONSES)).isEqualTo(2);
    }

    @Test
    void whatLinksLeadToIsOrderedToo() {
        stand.door.nearestFirst(NearestFirstOrderTest::line);
        Guid other = Guid.ofAscii("bob");
        stand.one(GnrsDoorStand.LOOPBACK, insert(G, Binding.of(place("10.0.5.1", 1)), Binding.of(Locator.of(other))));
        stand.one(GnrsDoorStand.LOOPBACK, insert(other, Binding.of(place("2001:db8:1::7", 2))));
        assertThat(asked(NEAR_FIRST, GnrsOption.recursion(true), GnrsOption.accept()))
                .containsExactly(place("2001:db8:1::7", 2), place("10.0.5.1", 1));
    }

    @Test
    void anAnswerIsAPermutationThatKeepsEachPlacesTimes() {
        Random random = new Random(20_261_122);
        Ranking ranking = line();
        stand.door.nearestFirst(() -> ranking);
        int source = ranking.source(ranking.placeIpv4(10 << 24 | 1 << 8 | 200));
        char[] ranks = ranking.ranks(source);
        for (int round = 0; round < 500; round++) {
            Guid name = Guid.ofAscii("name " + round);
            List<Binding> stored = random(random);
            stand.one(GnrsDoorStand.LOOPBACK, insert(name, stored.toArray(Binding[]::new)));
            List<Binding> told = ((GnrsMessage.LookupResponse) stand.one(NEAR_FIRST, longer(name))).bindings();
            List<Binding> wanted = new ArrayList<>(
                    ((GnrsMessage.LookupResponse) stand.one(Peer.of("127.0.0.1", 7), longer(name))).bindings());
            wanted.sort(Comparator.comparingInt(each -> ranks[placeOf(ranking, each.locator())]));
            assertThat(told).as("round " + round).isEqualTo(wanted);
        }
        assertThat(stand.count(GnrsCount.ORDERED_RESPONSES)).isGreaterThan(100);
    }

    private static GnrsMessage.Lookup longer(Guid name) {
        List<GnrsOption> options = new ArrayList<>(GnrsOption.padding(1200));
        options.add(GnrsOption.accept(8000));
        return lookup(name, options.toArray(GnrsOption[]::new));
    }

    private List<Binding> random(Random random) {
        List<Binding> bindings = new ArrayList<>();
        boolean timed = random.nextBoolean();
        int count = 1 + random.nextInt(timed ? 15 : 60);
        for (int i = 0; i < count; i++) {
            int router = 1 + random.nextInt(ROUTERS + 1);
            Locator locator = switch (random.nextInt(6)) {
                case 0 -> place("2001:db8:" + router + "::" + Integer.toHexString(i + 1), 1000 + i);
                case 1 -> Locator.of(URI.create("http://example.org/" + i));
                case 2 -> place("198.51.100." + i, 1000 + i);
                default -> place("10.0." + router + "." + (i + 1), 1000 + i);
            };
            long ttl = timed ? random.nextInt(3) * 1000L : 0;
            bindings.add(new Binding(locator, ttl, timed && random.nextBoolean() ? stand.now + 5000 + i : 0));
        }
        return bindings;
    }

    private static int placeOf(Ranking ranking, Locator locator) {
        String text = locator.toString();
        if (text.startsWith("http")) {
            return Ranking.NOWHERE;
        }
        Peer at = Peer.of(text.substring(0, text.lastIndexOf(':')).replaceAll("[\\[\\]]", ""), 1);
        return ranking.place(at.high(), at.low());
    }

    @Test
    void whatIsCutOffIsWhatIsFarthest() {
        stand.door.nearestFirst(NearestFirstOrderTest::line);
        List<Binding> stored = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            stored.add(Binding.of(place("10.0.5." + (i + 1), 1)));
        }
        Locator nearest = place("10.0.1.7", 1);
        Locator next = place("10.0.2.7", 1);
        stored.add(Binding.of(next));
        stored.add(Binding.of(place("198.51.100.1", 1)));
        stored.add(Binding.of(nearest));
        stand.one(GnrsDoorStand.LOOPBACK, insert(G, stored.toArray(Binding[]::new)));
        List<Locator> told = asked(NEAR_FIRST, GnrsOption.accept());
        assertThat(told).hasSizeBetween(3, 40).startsWith(nearest, next, place("10.0.5.1", 1), place("10.0.5.2", 1));
        assertThat(stand.count(GnrsCount.PARTIAL_RESPONSES)).isEqualTo(1);
        assertThat(stand.count(GnrsCount.ORDERED_RESPONSES)).isEqualTo(1);
        // Nobody knows where this one is: as stored, as many as fit.
        assertThat(asked(UNKNOWN, GnrsOption.accept())).startsWith(place("10.0.5.1", 1)).doesNotContain(nearest);
    }

    @Test
    void anEmptyNetworkChangesNothing() {
        stand.door.nearestFirst(() -> Ranking.EMPTY);
        stand.one(GnrsDoorStand.LOOPBACK, insert(G, Binding.of(place("10.0.4.1", 1)), Binding.of(place("10.0.2.1", 2))));
        assertThat(asked(NEAR_FIRST)).containsExactly(place("10.0.4.1", 1), place("10.0.2.1", 2));
    }
}
