package io.guidepost.middlebox;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.middlebox.forward.IpRouter;
import io.guidepost.middlebox.forward.RoutingTable;
import io.guidepost.middlebox.nat.Nat;
import io.guidepost.middlebox.nat.NatSettings;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Namespaces;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.memory.MemoryLink;
import java.util.List;
import java.util.SplittableRandom;

/** The scenes of {@link BoxTest} with two queues and workers, and with VLAN tags. */
final class WorkerScenes {
    /** Twenty questions at once, from as many ports, so that both queues get some. */
    private static final String MANY = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo $("
            + BoxScenes.CURL + "%s) & done; wait";

    private static final String ROUTES =
            "port 1 10.77.1.1/24\nport 2 10.77.2.1/24\nport 1 fd77:1::1/64\nport 2 fd77:2::1/64\n";

    private WorkerScenes() {}

    private static IpRouter router(Street street) throws Exception {
        return new IpRouter(street.ports(), RoutingTable.parse("routes", ROUTES, 2));
    }

    static void routerSharesNeighbours() throws Exception {
        try (Street street = new Street(2)) {
            Namespaces.Peer one = street.house("10.77.1.1", "10.77.1.2/24");
            Namespaces.Peer two = street.house("10.77.2.1", "10.77.2.2/24");
            street.startAll(router(street)::duty);
            two.start(Street.webServer("10.77.2.2", 8080, BoxScenes.page("routed")));
            one.shell("ping -c 3 -i 0.2 -W 5 10.77.2.2");
            assertThat(one.shell(MANY.formatted("http://10.77.2.2:8080/page.txt")).lines()).hasSize(20).containsOnly("routed");
            BoxScenes.load(one, two, "10.77.2.2");
            assertThat(street.received(0)).isPositive();
            assertThat(street.received(1)).isPositive();
        }
    }

    static void natFindsFlowsByAnyQueue() throws Exception {
        try (Street street = new Street(2)) {
            Namespaces.Peer client = street.house("10.77.0.1", "10.77.0.2/24");
            Namespaces.Peer server = street.house("", "192.0.2.7/24");
            Nat nat = new Nat(
                    street.port(0),
                    street.port(1),
                    new NatSettings(
                            InterfaceAddress.parse("10.77.0.1/24"), InterfaceAddress.parse("192.0.2.1/24"), 0, 1024, 65535,
                            4096, NatSettings.ENDPOINT_INDEPENDENT, true),
                    new SplittableRandom());
            street.startAll(nat::duty);
            server.start(Street.webServer("192.0.2.7", 8080, BoxScenes.page("through")));
            client.shell("ping -c 3 -i 0.2 -W 5 192.0.2.7; ping -c 2 -i 0.2 -W 5 -s 4000 192.0.2.7");
            assertThat(client.shell(MANY.formatted("http://192.0.2.7:8080/page.txt")).lines())
                    .hasSize(20)
                    .containsOnly("through");
            BoxScenes.load(client, server, "192.0.2.7");
            assertThat(street.received(0)).isPositive();
            assertThat(street.received(1)).isPositive();
            assertThat(nat.counts().get("no_mapping")).isZero();
        }
    }

    static void tagsAreKept() throws Exception {
        try (Street street = new Street();
                MemoryLink left = link(street, "left");
                MemoryLink right = link(street, "right")) {
            Namespaces.Peer one = street.house("10.77.1.1", "10.77.1.2/24", "fd77:1::2/64");
            Namespaces.Peer two = street.house("10.77.2.1", "10.77.2.2/24", "fd77:2::2/64");
            one.shell("ip -6 route add default via fd77:1::1");
            two.shell("ip -6 route add default via fd77:2::1");
            RoutingTable routes = RoutingTable.parse("routes", ROUTES, 2);
            // Not every kernel has VLAN interfaces, so the tags are put on and taken off before the houses.
            street.start(
                    new Tagger(street.port(0), left.left(), 5),
                    new Tagger(street.port(1), right.left(), 5),
                    new IpRouter(List.of(left.right(), right.right()), routes).duty(0));
            one.shell("ping -c 3 -i 0.2 -W 5 10.77.2.2; ping -c 2 -s 4000 -i 0.2 -W 5 10.77.2.2; ping -c 1 -W 5 10.77.2.1");
            two.shell("ping -6 -c 3 -i 0.2 -W 5 fd77:1::2");
            assertThat(one.shell("ping -c 1 -W 5 -t 1 10.77.2.2 || true")).contains("Time to live exceeded");
            BoxScenes.load(one, two, "10.77.2.2");
        }
    }

    private static MemoryLink link(Street street, String name) {
        return new MemoryLink(FrameSettings.of(name).withPool(street.pool()));
    }
}
