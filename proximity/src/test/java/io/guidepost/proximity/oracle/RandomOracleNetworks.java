package io.guidepost.proximity.oracle;

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
import org.jspecify.annotations.Nullable;

/** Small networks of all kinds, also odd ones that nobody would build, of a seed. */
final class RandomOracleNetworks {
    private RandomOracleNetworks() {}

    static OperatorNetwork of(SplittableRandom random) {
        OperatorNetwork network = new OperatorNetwork();
        List<Address> ids = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
            ids.add(random.nextInt(5) == 0 ? new Address(0x20010db8L << 32, random.nextInt(99)) : ipv4(random));
        }
        Topology topology = Topology.EMPTY.with(random.nextBoolean() ? RoutingMode.EXPLICIT : RoutingMode.IMPLICIT);
        for (Address id : ids) {
            topology = topology.with(router(id, ids, random));
        }
        network.topology(topology);
        for (int i = ids.isEmpty() ? 0 : random.nextInt(60); i > 0; i--) {
            TopologyRouter router = topology.routers().get(ids.get(random.nextInt(ids.size())));
            if (router != null && router.nicCount() > 0) {
                int nic = random.nextInt(router.nicCount());
                network.add(
                        prefix(random),
                        random.nextBoolean()
                                ? PrefixAttachment.internal(router.id(), nic)
                                : PrefixAttachment.external(
                                        router.id(), nic, random.nextLong(1L << 32), random.nextInt(20)));
            }
        }
        return network;
    }

    private static TopologyRouter router(Address id, List<Address> ids, SplittableRandom random) {
        int count = random.nextInt(7);
        List<Nic> nics = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (random.nextInt(4) > 0) {
                nics.add(new Nic(i, end(random), end(random), random.nextBoolean(), link(random)));
            }
        }
        List<ExplicitRoute> routes = new ArrayList<>();
        for (Nic each : nics) {
            if (random.nextBoolean()) {
                routes.add(new ExplicitRoute(each.index(), ids.get(random.nextInt(ids.size()))));
            }
        }
        // A router of which nothing is known is not enabled unless a file says so, even an empty one.
        return new TopologyRouter(id, random.nextInt(3) > 0, count, nics, routes);
    }

    private static @Nullable Address end(SplittableRandom random) {
        return random.nextInt(5) == 0 ? null : ipv4(random);
    }

    private static @Nullable TopologyLink link(SplittableRandom random) {
        return random.nextInt(5) == 0
                ? null
                : new TopologyLink(
                        random.nextDouble(100),
                        1 + random.nextInt(100_000),
                        random.nextInt(3),
                        random.nextBoolean() ? 1 : random.nextDouble(1e-9, 1e9));
    }

    private static Address ipv4(SplittableRandom random) {
        return Address.ofIpv4(10 << 24 | random.nextInt(1 << 12));
    }

    private static Prefix prefix(SplittableRandom random) {
        return random.nextBoolean()
                ? Prefix.ofIpv4(random.nextInt(), random.nextInt(33))
                : new Prefix(random.nextLong(), random.nextLong(), random.nextInt(129));
    }
}
