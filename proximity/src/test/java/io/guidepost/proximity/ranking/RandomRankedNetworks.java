package io.guidepost.proximity.ranking;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.topology.ExplicitRoute;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Invents small networks with everything that may go wrong in them, and changes to them. */
final class RandomRankedNetworks {
    private final SplittableRandom random;
    private final int spread;

    RandomRankedNetworks(SplittableRandom random) {
        this.random = random;
        // Few different first bits, so that blocks enclose each other and share bases.
        this.spread = random.nextInt(3, 33);
    }

    OperatorNetwork network() {
        OperatorNetwork network = new OperatorNetwork();
        network.topology(topology());
        for (int i = random.nextInt(200); i > 0; i--) {
            network.add(prefix(), attachment());
        }
        return network;
    }

    Topology topology() {
        int routers = random.nextInt(1, 14);
        RoutingMode routing = random.nextInt(3) == 0 ? RoutingMode.EXPLICIT : RoutingMode.IMPLICIT;
        List<List<Nic>> nics = new ArrayList<>();
        for (int i = 0; i < routers; i++) {
            nics.add(new ArrayList<>());
        }
        for (int i = 0; i < 3 * routers; i++) {
            int one = random.nextInt(routers);
            int other = random.nextInt(routers);
            // Some lines have cards that do not name each other, as in files that people write.
            Address here = end(i, 0);
            Address there = end(i, random.nextInt(20) == 0 ? 2 : 1);
            nics.get(one).add(nic(nics.get(one).size(), here, there));
            nics.get(other).add(nic(nics.get(other).size(), end(i, 1), here));
        }
        TreeMap<Address, TopologyRouter> made = new TreeMap<>();
        for (int i = 0; i < routers; i++) {
            List<ExplicitRoute> routes = new ArrayList<>();
            for (int k = random.nextInt(2 * routers); k > 0; k--) {
                routes.add(new ExplicitRoute(random.nextInt(nics.get(i).size() + 2), router(random.nextInt(routers + 1))));
            }
            boolean enabled = random.nextInt(12) != 0;
            made.put(router(i), new TopologyRouter(router(i), enabled, 20, nics.get(i), routes));
        }
        return new Topology(made, routing);
    }

    private Nic nic(int index, Address own, Address peer) {
        // Few values, so that ways are often equal.
        TopologyLink link = new TopologyLink(random.nextInt(3), 1 << random.nextInt(3), random.nextInt(2), 1 + random.nextInt(2));
        return new Nic(index, own, peer, random.nextInt(20) != 0, random.nextInt(30) == 0 ? null : link);
    }

    private static Address end(int line, int side) {
        return Address.ofIpv4((192 << 24 | 168 << 16) + 4 * line + side);
    }

    private static Address router(int number) {
        return number % 5 == 4 ? new Address(0x20010db800000000L, number) : Address.ofIpv4(10 << 24 | number);
    }

    Prefix prefix() {
        if (random.nextInt(3) == 0) {
            Address six = ipv6();
            return new Prefix(six.high(), six.low(), random.nextInt(129));
        }
        return Prefix.ofIpv4(ipv4(), random.nextInt(33));
    }

    PrefixAttachment attachment() {
        Address router = router(random.nextInt(15));
        int nic = random.nextInt(2);
        return random.nextInt(3) == 0
                ? PrefixAttachment.internal(router, nic)
                : PrefixAttachment.external(router, nic, random.nextInt(4), random.nextInt(4));
    }

    Address address() {
        return switch (random.nextInt(8)) {
            case 0 -> router(random.nextInt(15));
            case 1, 2 -> ipv6();
            case 3 -> Address.ofIpv4(random.nextInt());
            default -> Address.ofIpv4(ipv4());
        };
    }

    private int ipv4() {
        int base = random.nextInt(10) == 0 ? 10 << 24 : random.nextInt() << (32 - spread);
        return base | random.nextInt(8) * 0x25;
    }

    private Address ipv6() {
        long high = 0x2001000000000000L ^ (long) random.nextInt(64) << random.nextInt(58);
        return new Address(high, (long) random.nextInt(8) << random.nextInt(60));
    }

    /** Changes something. */
    void edit(OperatorNetwork network) {
        switch (random.nextInt(8)) {
            case 0 -> {
                Prefix gone = prefix();
                network.remove(gone);
            }
            case 1 -> {
                List<Prefix> all = new ArrayList<>();
                network.forEach((prefix, ignored) -> all.add(prefix));
                if (!all.isEmpty()) {
                    Prefix some = all.get(random.nextInt(all.size()));
                    PrefixAttachment first = network.attachments(some).getFirst();
                    network.remove(some, first.router(), first.nic());
                }
            }
            case 2 -> {
                if (random.nextInt(4) == 0) {
                    network.topology(topology());
                }
            }
            default -> network.add(prefix(), attachment());
        }
    }
}
