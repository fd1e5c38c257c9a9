package io.guidepost.middlebox;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.middlebox.balance.LoadBalancer;
import io.guidepost.middlebox.balance.VirtualService;
import io.guidepost.middlebox.forward.IpRouter;
import io.guidepost.middlebox.forward.LearningBridge;
import io.guidepost.middlebox.forward.RoutingTable;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Namespaces;
import io.guidepost.packet.Port;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.ip.LinkQueue;
import io.guidepost.packet.memory.MemoryLink;
import java.util.ArrayList;
import java.util.List;

/** The scenes of {@link BoxTest} with IPv6. */
final class Ipv6Scenes {
    private Ipv6Scenes() {}

    static void routerTellsTheWay() throws Exception {
        try (Street street = new Street()) {
            Namespaces.Peer one = street.house("fd77:1::1", "fd77:1::2/64");
            Namespaces.Peer two = street.house("fd77:2::1", "fd77:2::2/64", "fd77:9::9/128");
            RoutingTable routes = RoutingTable.parse(
                    "routes",
                    "port 1 fd77:1::1/64\nport 2 fd77:2::1/64\nport 2 10.77.2.1/24\nfd77:9::/64 via fd77:2::2\n",
                    2);
            street.start(new IpRouter(street.ports(), routes).duty(0));
            one.shell("ping -6 -c 3 -i 0.2 -W 5 fd77:2::2; ping -6 -c 3 -i 0.2 -W 5 fd77:9::9; ping -6 -c 1 fd77:2::1");
            two.shell("ping -6 -c 2 -s 4000 -i 0.2 -W 5 fd77:1::2");
            assertThat(one.shell("ping -6 -c 1 -W 5 -t 1 fd77:2::2 || true")).contains("Hop limit");
            assertThat(one.shell("ping -6 -c 1 -W 5 fd99::1 || true")).contains("No route");
            String folder = BoxScenes.page("over IPv6");
            two.start(Street.webServer("fd77:2::2", 8080, folder));
            assertThat(one.shell(BoxScenes.CURL + "-6 http://[fd77:2::2]:8080/page.txt")).isEqualTo("over IPv6");
            BoxScenes.load(one, two, "fd77:2::2");
        }
    }

    private static Process backEnd(Namespaces.Peer house, String name) throws Exception {
        house.shell("ip -6 address add fd77::80/128 dev lo");
        return house.start(Street.webServer("::", 8080, BoxScenes.page(name)));
    }

    static void balancerSpreads() throws Exception {
        try (Street street = new Street();
                MemoryLink link = new MemoryLink(FrameSettings.of("balancer").withPool(street.pool()))) {
            Namespaces.Peer client = street.house("", "fd77::2/64");
            Process one = backEnd(street.house("", "fd77::11/64"), "one");
            backEnd(street.house("", "fd77::12/64"), "two");
            List<Port> ports = new ArrayList<>(street.ports());
            ports.add(link.left());
            List<LoadBalancer.BackEnd> backEnds = new ArrayList<>();
            for (String each : List.of("fd77::11", "fd77::12")) {
                InterfaceAddress host = InterfaceAddress.parseHost(each);
                backEnds.add(new LoadBalancer.BackEnd(host.high(), host.low(), false));
            }
            LoadBalancer balancer = new LoadBalancer(
                    link.right(),
                    InterfaceAddress.parse("fd77::5/64"),
                    LinkQueue.UNTAGGED,
                    VirtualService.parse("[fd77::80]:8080"),
                    backEnds);
            street.start(new LearningBridge(ports).duty(0), balancer.duty(0));
            BoxScenes.leavesOutWhoIsKilled(balancer, client, BoxScenes.CURL + "-6 http://[fd77::80]:8080/page.txt", one);
            client.shell("ping -6 -c 2 -i 0.2 -W 5 fd77::5");
        }
    }
}
