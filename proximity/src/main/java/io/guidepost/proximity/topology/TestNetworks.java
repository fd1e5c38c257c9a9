package io.guidepost.proximity.topology;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.PrefixTableGenerator;
import io.guidepost.proximity.Prefixes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Generates networks: the two on which the P2P-Oracle was measured (Poese, 2009), and larger ones of the same
 * structure. The same call always gives the same network.
 *
 * <p>A network consists of hubs of 24 routers each: 12 for clients, 10 between, and 2 of the backbone. Every router has
 * two uplinks, and the backbones of the hubs form a binary tree with two links for each edge:
 *
 * <pre>
 *   ring 0   C1 .. C12      client Ck:  primary to I(1 + (k-1)*10/12), backup to the next one
 *   ring 1   I1 .. I10      odd ones:   primary to B1, backup to B2; even ones the other way round
 *   ring 2   B1 = B2        hub h:      B1 to B1 of hub h/2, and B2 to B2
 * </pre>
 *
 * <p>A router is {@code 10.hub.ring.number}. Its links are on its first cards, in the order of this drawing; networks
 * are on its last one. Three exits in different branches have 67,000 external prefixes, and one of them all of IPv4, so
 * that every address is known.
 */
public final class TestNetworks {
    /** External prefixes, without the two that cover everything. */
    public static final int EXTERNALS = 67_000;

    /** Routers of the larger network of the thesis. */
    public static final int ROUTERS = 216;

    /** The most routers of {@link #ofRouters}. */
    public static final int ROUTERS_MAX = 5_000;

    /** The fewest: with less, there would not be three leaves for the exits. */
    public static final int ROUTERS_MIN = 97;

    private static final int CLIENTS = 12;
    private static final int BETWEEN = 10;
    private static final int BACKBONE = 2;
    private static final int HUB = CLIENTS + BETWEEN + BACKBONE;
    private static final int SEED = 2009;

    /** 130.149.0.0: where the networks of the clients start. */
    private static final int CLIENT_NETS = 130 << 24 | 149 << 16;

    /** The source network of the thesis is the 221st of them. */
    private static final int SOURCE_NET = 221;

    private static final TopologyLink CLIENT_PRIMARY = new TopologyLink(2, 100, 0, 1);
    private static final TopologyLink CLIENT_BACKUP = new TopologyLink(8, 10, 0, 2);
    private static final TopologyLink HUB_PRIMARY = new TopologyLink(2, 1_000, 0, 1);
    private static final TopologyLink HUB_BACKUP = new TopologyLink(8, 100, 0, 2);
    private static final TopologyLink TWIN = new TopologyLink(1, 10_000, 0, 1);
    private static final TopologyLink TREE_PRIMARY = new TopologyLink(5, 10_000, 0, 1);
    private static final TopologyLink TREE_SECONDARY = new TopologyLink(15, 1_000, 0, 2);

    private final TreeMap<Address, List<Nic>> nics = new TreeMap<>();
    private final Map<Address, Integer> networks = new HashMap<>();
    private final OperatorNetwork network = new OperatorNetwork();
    private int lines;

    private TestNetworks() {}

    /**
     * Returns the network of figure 19: 10 routers. Clients are at the two of ring 0, the source network at the one in
     * the middle, ring 2, and the exits are ring 3.
     */
    public static OperatorNetwork small() {
        return small(EXTERNALS);
    }

    /**
     * Returns the same network with fewer external prefixes.
     *
     * @param externals 0 to {@link #EXTERNALS}
     */
    public static OperatorNetwork small(int externals) {
        TestNetworks made = new TestNetworks();
        Address middle = router(1, 2, 1);
        List<Address> exits = List.of(router(1, 3, 1), router(1, 3, 2), router(1, 3, 3));
        for (int i = 1; i <= 4; i++) {
            made.line(router(1, 0, (i + 1) / 2), router(1, 1, i), i % 2 == 1 ? CLIENT_PRIMARY : CLIENT_BACKUP);
            made.line(router(1, 1, i), middle, HUB_PRIMARY);
        }
        for (int i = 0; i < 3; i++) {
            made.line(middle, exits.get(i), TREE_PRIMARY);
            made.line(router(1, 1, i + 1), exits.get(i), TREE_SECONDARY);
        }
        for (int i = 1; i <= CLIENTS * 9; i++) {
            made.clients(i, router(1, 0, 1 + i % 2));
        }
        made.clients(SOURCE_NET, middle);
        return made.finish(exits, externals);
    }

    /**
     * Returns a network of any size with the structure of figure 18, which has {@link #ROUTERS} in 9 hubs, 108 client
     * networks, and the source network 130.149.221.0/24.
     *
     * @param routers from {@link #ROUTERS_MIN} to {@link #ROUTERS_MAX}
     */
    public static OperatorNetwork ofRouters(int routers) {
        if (routers < ROUTERS_MIN || routers > ROUTERS_MAX) {
            throw new IllegalArgumentException(
                    "a test network has " + ROUTERS_MIN + " to " + ROUTERS_MAX + " routers, not " + routers);
        }
        TestNetworks made = new TestNetworks();
        int hubs = (routers + HUB - 1) / HUB;
        int net = 0;
        for (int hub = 1; hub <= hubs; hub++) {
            int size = Math.min(HUB, routers - HUB * (hub - 1));
            int clients = Math.max(0, size - BETWEEN - BACKBONE);
            int between = Math.clamp(size - BACKBONE, 0, BETWEEN);
            made.hub(hub, clients, between, Math.min(size, BACKBONE));
            for (int k = 1; k <= clients; k++) {
                net += net + 1 == SOURCE_NET ? 2 : 1;
                made.clients(net, router(hub, 0, k));
            }
        }
        made.clients(SOURCE_NET, router(1, 0, 1));
        return made.finish(List.of(router(hubs / 2 + 1, 2, 1), router(hubs / 2 + 2, 2, 1), router(hubs, 2, 1)), EXTERNALS);
    }

    private void hub(int hub, int clients, int between, int backbone) {
        for (int k = 1; k <= clients; k++) {
            int up = 1 + (k - 1) * BETWEEN / CLIENTS;
            line(router(hub, 0, k), router(hub, 1, up), CLIENT_PRIMARY);
            line(router(hub, 0, k), router(hub, 1, up % BETWEEN + 1), CLIENT_BACKUP);
        }
        for (int m = 1; m <= between; m++) {
            line(router(hub, 1, m), router(hub, 2, 2 - m % 2), HUB_PRIMARY);
            line(router(hub, 1, m), router(hub, 2, 1 + m % 2), HUB_BACKUP);
        }
        if (backbone == BACKBONE) {
            line(router(hub, 2, 1), router(hub, 2, 2), TWIN);
        }
        if (hub > 1) {
            line(router(hub, 2, 1), router(hub / 2, 2, 1), TREE_PRIMARY);
            if (backbone == BACKBONE) {
                line(router(hub, 2, 2), router(hub / 2, 2, 2), TREE_SECONDARY);
            }
        }
    }

    private static Address router(int hub, int ring, int number) {
        return Address.ofIpv4(10 << 24 | hub << 16 | ring << 8 | number);
    }

    /** Adds a link with a card at each end; both directions are alike. */
    private void line(Address one, Address other, TopologyLink link) {
        Address here = Address.ofIpv4((172 << 24 | 16 << 16) + 2 * lines);
        Address there = Address.ofIpv4((172 << 24 | 16 << 16) + 2 * lines + 1);
        List<Nic> cards = nics.computeIfAbsent(one, absent -> new ArrayList<>());
        cards.add(new Nic(cards.size(), here, there, true, link));
        List<Nic> others = nics.computeIfAbsent(other, absent -> new ArrayList<>());
        others.add(new Nic(others.size(), there, here, true, link));
        lines++;
    }

    private void clients(int number, Address at) {
        network.add(Prefix.ofIpv4(CLIENT_NETS + (number << 8), 24), PrefixAttachment.internal(at, card(at)));
    }

    /** Returns the next free card for a network; all links of the router must exist already. */
    private int card(Address at) {
        return nics.getOrDefault(at, List.of()).size() + networks.merge(at, 1, Integer::sum) - 1;
    }

    private OperatorNetwork finish(List<Address> exits, int externals) {
        SplittableRandom random = new SplittableRandom(SEED);
        int[] cards = exits.stream().mapToInt(this::card).toArray();
        for (Block each : blocks(externals)) {
            int first = random.nextInt(exits.size());
            // Six in ten are known at one exit, a quarter at two, the rest at all.
            int share = random.nextInt(100);
            int known = share < 60 ? 1 : share < 85 ? 2 : 3;
            for (int i = 0; i < known; i++) {
                int exit = (first + i) % exits.size();
                int distance = 1 + random.nextInt(3) + random.nextInt(4);
                network.add(each.prefix, PrefixAttachment.external(exits.get(exit), cards[exit], each.asNumber, distance));
            }
        }
        for (int half = 0; half < 2; half++) {
            PrefixAttachment everything = PrefixAttachment.external(exits.getFirst(), cards[0], 1, 9);
            network.add(Prefix.ofIpv4(half << 31, 1), everything);
        }
        TreeMap<Address, TopologyRouter> routers = new TreeMap<>();
        nics.forEach((id, of) ->
                routers.put(id, new TopologyRouter(id, true, of.size() + networks.getOrDefault(id, 0), of, List.of())));
        network.topology(new Topology(routers, RoutingMode.IMPLICIT));
        return network;
    }

    private record Block(Prefix prefix, long asNumber) {}

    /** Returns prefixes like the Internet's, none of which overlaps the internal ones. */
    private static List<Block> blocks(int count) {
        Prefixes invented = PrefixTableGenerator.generate(SEED, count + count / 10, PrefixTableGenerator.ASES);
        List<Block> usable = new ArrayList<>();
        for (int i = 0; i < invented.ipv4Size(); i++) {
            int base = invented.ipv4Base(i);
            boolean inside = base >>> 24 == 10 || base >>> 20 == (130 << 4 | 9) || base >>> 20 == (172 << 4 | 1);
            if (!inside) {
                usable.add(new Block(
                        Prefix.ofIpv4(base, invented.ipv4Length(i)), Integer.toUnsignedLong(invented.ipv4Value(i))));
            }
        }
        Collections.shuffle(usable, new Random(SEED));
        return List.copyOf(usable.subList(0, count));
    }
}
