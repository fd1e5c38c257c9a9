package io.guidepost.middlebox;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.middlebox.balance.LoadBalancer;
import io.guidepost.middlebox.balance.VirtualService;
import io.guidepost.middlebox.firewall.ClassifierKind;
import io.guidepost.middlebox.firewall.Firewall;
import io.guidepost.middlebox.firewall.RuleAction;
import io.guidepost.middlebox.firewall.RuleDirection;
import io.guidepost.middlebox.firewall.RuleSet;
import io.guidepost.middlebox.forward.IpRouter;
import io.guidepost.middlebox.forward.LearningBridge;
import io.guidepost.middlebox.forward.RoutingTable;
import io.guidepost.middlebox.nat.Nat;
import io.guidepost.middlebox.nat.NatSettings;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Namespaces;
import io.guidepost.packet.Port;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.ip.LinkQueue;
import io.guidepost.packet.memory.MemoryLink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The scenes of {@link BoxTest}: middleboxes between kernels that speak to each other by the usual tools. */
final class BoxScenes {
    /** Silent about what it tries again while a server is starting. */
    static final String CURL = "curl -s --max-time 10 --retry 30 --retry-connrefused --retry-delay 1 ";

    private BoxScenes() {}

    public static void main(String[] args) throws Exception {
        String tool = switch (args[0]) {
            case "firewall", "balance", "balance-ipv6", "software-nat", "native-firewall", "generic-firewall", "native-nat" ->
                "curl";
            case "firewall-load", "nat-load", "router-load", "router-ipv6", "router-workers", "nat-workers", "vlan",
                    "native-load" -> "iperf3";
            case "nat" -> "dig";
            case "nat-watched" -> "tcpdump";
            default -> "ping";
        };
        if (!Namespaces.has("ping") || !Namespaces.has(tool) || tool.equals("dig") && !Namespaces.has("dnsmasq")) {
            Namespaces.skipped("no " + tool + " here (apt: iputils-ping curl iperf3 bind9-dnsutils dnsmasq-base)");
            return;
        }
        switch (args[0]) {
            case "firewall" -> firewallLetsInWhatTheRulesAllow(new Street());
            case "native-firewall" -> firewallLetsInWhatTheRulesAllow(new Street("xdp", ",mode=native"));
            case "generic-firewall" -> firewallLetsInWhatTheRulesAllow(new Street("xdp", ",mode=generic"));
            case "firewall-load" -> firewallCarriesLoad();
            case "nat" -> natHidesTheInside(new Street());
            case "software-nat" -> natHidesTheInside(new Street("packet", ",checksums=software"));
            case "native-nat" -> natHidesTheInside(new Street("xdp", ",mode=native"));
            case "nat-watched" -> natIsRightForWhoLooks();
            case "nat-load" -> natCarriesLoad(new Street());
            case "native-load" -> natCarriesLoad(new Street("xdp", ",mode=native"));
            case "nat-workers" -> WorkerScenes.natFindsFlowsByAnyQueue();
            case "balance" -> balancerLeavesOutWhoIsKilled();
            case "balance-ipv6" -> Ipv6Scenes.balancerSpreads();
            case "bridge" -> bridgeJoinsThree();
            case "router" -> routerTellsTheWay();
            case "router-load" -> routerCarriesLoad();
            case "router-ipv6" -> Ipv6Scenes.routerTellsTheWay();
            case "router-workers" -> WorkerScenes.routerSharesNeighbours();
            case "vlan" -> WorkerScenes.tagsAreKept();
            default -> throw new IllegalArgumentException("no scene " + args[0]);
        }
        Namespaces.done(args[0]);
    }

    /** A folder with a file for web servers. */
    static String page(String content) throws Exception {
        Path folder = Files.createTempDirectory("page");
        Path file = Files.writeString(folder.resolve("page.txt"), content);
        file.toFile().deleteOnExit();
        folder.toFile().deleteOnExit();
        return folder.toString();
    }

    private static RuleSet rules(String text) throws Exception {
        return RuleSet.parse("rules", text, RuleAction.DENY);
    }

    private static Firewall firewall(Street street, ClassifierKind classifier, String rules) throws Exception {
        Firewall firewall = new Firewall(rules(rules), classifier, Firewall.Others.ARP_ALONE, 2);
        street.start(
                firewall.way(street.port(0).rx(0), street.port(1).tx(0), RuleDirection.OUT),
                firewall.way(street.port(1).rx(0), street.port(0).tx(0), RuleDirection.IN));
        return firewall;
    }

    private static void firewallLetsInWhatTheRulesAllow(Street opened) throws Exception {
        try (Street street = opened) {
            Namespaces.Peer client = street.house("", "10.77.0.2/24", "fd77::2/64");
            Namespaces.Peer server = street.house("", "10.77.0.3/24", "fd77::3/64");
            String folder = page("let in");
            server.start(Street.webServer("10.77.0.3", 8080, folder));
            server.start(Street.webServer("10.77.0.3", 8081, folder));
            String open = "allow icmp\nallow icmpv6\nallow out tcp to 10.77.0.3 port 8080\nallow in tcp established\n";
            Firewall firewall = firewall(street, ClassifierKind.LIST, open);
            client.shell("ping -c 3 -i 0.2 -W 5 10.77.0.3");
            client.shell("ping -c 3 -i 0.2 -s 5000 -W 5 10.77.0.3");
            client.shell("ping -6 -c 3 -i 0.2 -W 5 fd77::3");
            assertThat(client.shell(CURL + "http://10.77.0.3:8080/page.txt")).isEqualTo("let in");
            assertThat(client.shell("curl -s --max-time 2 http://10.77.0.3:8081/page.txt || echo no")).isEqualTo("no\n");
            firewall.publish(rules(open + "allow out tcp to any port 8081\n"));
            assertThat(client.shell(CURL + "http://10.77.0.3:8081/page.txt")).isEqualTo("let in");
            assertThat(firewall.counts().get(2).packets()).isGreaterThan(4);
            assertThat(firewall.counts().get(0).packets()).isGreaterThanOrEqualTo(6);
        }
    }

    private static void firewallCarriesLoad() throws Exception {
        try (Street street = new Street()) {
            Namespaces.Peer client = street.house("", "10.77.0.2/24");
            Namespaces.Peer server = street.house("", "10.77.0.3/24");
            StringBuilder rules = new StringBuilder();
            for (int i = 0; i < 100; i++) {
                rules.append("deny tcp from 10.78.").append(i).append(".0/24 to any port 5201\n");
            }
            firewall(street, ClassifierKind.TREE, rules + "allow tcp\nallow udp\n");
            load(client, server, "10.77.0.3");
        }
    }

    /** TCP both ways and UDP for a second each: iperf3 fails if nothing passes. */
    static void load(Namespaces.Peer client, Namespaces.Peer server, String address) throws Exception {
        for (String kind : List.of("", "-R ", "-u -b 20M ")) {
            // A server for each: between two tests iperf3 closes its port, and resets whatever has just connected.
            Process listener = server.start("iperf3 -s -1 --forceflush");
            assertThat(listener.inputReader().readLine()).isNotNull();
            assertThat(client.shell("for i in 1 2 3 4 5 6 7 8 9; do iperf3 -t 1 " + kind + "-c " + address
                            + " --connect-timeout 2000 && exit 0; done; exit 1"))
                    .contains("receiver");
            listener.waitFor();
        }
    }

    private static Nat nat(Street street) throws Exception {
        Nat nat = new Nat(
                street.port(0),
                street.port(1),
                new NatSettings(
                        InterfaceAddress.parse("10.77.0.1/24"), InterfaceAddress.parse("192.0.2.1/24"), 0, 1024, 65535,
                        4096, NatSettings.ENDPOINT_INDEPENDENT, false),
                new SplittableRandom());
        street.start(nat.duty(0));
        return nat;
    }

    private static void natHidesTheInside(Street opened) throws Exception {
        try (Street street = opened) {
            Namespaces.Peer client = street.house("10.77.0.1", "10.77.0.2/24");
            // No way back to 10.77.0.0/24 here: whoever answers must have been asked by 192.0.2.1.
            Namespaces.Peer server = street.house("", "192.0.2.7/24");
            Nat nat = nat(street);
            server.start("dnsmasq --no-daemon --conf-file=/dev/null --no-resolv --no-hosts --user=root --pid-file="
                    + " --listen-address=192.0.2.7 --bind-interfaces --host-record=where.example,192.0.2.77");
            String folder = page("through");
            server.start(Street.webServer("192.0.2.7", 8080, folder));
            client.shell("ping -c 3 -i 0.2 -W 5 192.0.2.7");
            client.shell("ping -c 2 -i 0.2 -W 5 -s 4000 192.0.2.7");
            client.shell("ping -c 1 -W 5 10.77.0.1");
            server.shell("ping -c 1 -W 5 192.0.2.1");
            assertThat(client.shell("dig +short +tries=10 +time=1 @192.0.2.7 where.example")).contains("192.0.2.77");
            assertThat(client.shell("dig +short +tcp +tries=10 +time=1 @192.0.2.7 where.example")).contains("192.0.2.77");
            assertThat(client.shell(CURL + "http://192.0.2.7:8080/page.txt")).isEqualTo("through");
            // Nobody listens there: the error about the translated packet must find its way to the one who asked.
            assertThat(client.shell("dig +tries=1 +time=5 -p 9 @192.0.2.7 where.example || true")).contains("refused");
            assertThat(nat.counts().get("errors")).isPositive();
            assertThat(nat.counts().get("no_mapping")).isZero();
        }
    }

    /** A device that takes no partial checksums, as most that are not virtual: a stranger's reading of what arrives. */
    private static void natIsRightForWhoLooks() throws Exception {
        if (!Namespaces.has("ethtool") || !Namespaces.has("dig") || !Namespaces.has("curl")) {
            Namespaces.skipped("no ethtool, dig or curl here");
            return;
        }
        try (Street street = new Street()) {
            Namespaces.Peer client = street.house("10.77.0.1", "10.77.0.2/24");
            Namespaces.Peer server = street.house("", "192.0.2.7/24");
            Namespaces.shell("ethtool -K box1 tx off");
            nat(street);
            server.start(Street.webServer("192.0.2.7", 8080, page("watched")));
            Process watch = server.start("tcpdump -l -vvn -c 6 -i eth0 'src 192.0.2.1 and (tcp or udp)'");
            String line = watch.inputReader().readLine();
            while (line != null && !line.contains("listening on")) {
                line = watch.inputReader().readLine();
            }
            assertThat(line).as("tcpdump's first lines").isNotNull();
            client.shell("dig +tries=1 +time=1 -p 9 @192.0.2.7 where.example || true");
            assertThat(client.shell(CURL + "http://192.0.2.7:8080/page.txt")).endsWith("watched");
            String seen = String.join("\n", watch.inputReader().lines().toList());
            assertThat(seen).contains("udp sum ok", "(correct)").doesNotContain("incorrect", "bad udp cksum");
        }
    }

    private static void natCarriesLoad(Street opened) throws Exception {
        try (Street street = opened) {
            Namespaces.Peer client = street.house("10.77.0.1", "10.77.0.2/24");
            Namespaces.Peer server = street.house("", "192.0.2.7/24");
            nat(street);
            load(client, server, "192.0.2.7");
        }
    }

    private static void bridgeJoinsThree() throws Exception {
        try (Street street = new Street()) {
            Namespaces.Peer one = street.house("", "10.77.0.1/24", "fd77::1/64");
            Namespaces.Peer two = street.house("", "10.77.0.2/24", "fd77::2/64");
            street.house("", "10.77.0.3/24", "fd77::3/64");
            LearningBridge bridge = new LearningBridge(street.ports());
            street.start(bridge.duty(0));
            one.shell("ping -c 3 -i 0.2 -W 5 10.77.0.2; ping -c 3 -i 0.2 -W 5 10.77.0.3");
            two.shell("ping -6 -c 3 -i 0.2 -W 5 fd77::3; ping -c 2 -s 4000 -i 0.2 -W 5 10.77.0.3");
            assertThat(bridge.stations(System.currentTimeMillis())).isEqualTo(3);
        }
    }

    private static void routerTellsTheWay() throws Exception {
        try (Street street = new Street()) {
            Namespaces.Peer one = street.house("10.77.1.1", "10.77.1.2/24");
            Namespaces.Peer two = street.house("10.77.2.1", "10.77.2.2/24", "10.77.9.9/32");
            RoutingTable routes = RoutingTable.parse(
                    "routes", "port 1 10.77.1.1/24\nport 2 10.77.2.1/24\n10.77.9.0/24 via 10.77.2.2\n", 2);
            street.start(new IpRouter(street.ports(), routes).duty(0));
            one.shell("ping -c 3 -i 0.2 -W 5 10.77.2.2; ping -c 3 -i 0.2 -W 5 10.77.9.9; ping -c 1 -W 5 10.77.2.1");
            two.shell("ping -c 2 -s 4000 -i 0.2 -W 5 10.77.1.2");
            assertThat(one.shell("ping -c 1 -W 5 -t 1 10.77.2.2 || true")).contains("Time to live exceeded");
            assertThat(one.shell("ping -c 1 -W 5 198.51.100.1 || true")).contains("Destination Net Unreachable");
        }
    }

    private static void routerCarriesLoad() throws Exception {
        try (Street street = new Street()) {
            Namespaces.Peer one = street.house("10.77.1.1", "10.77.1.2/24");
            Namespaces.Peer two = street.house("10.77.2.1", "10.77.2.2/24");
            RoutingTable routes = RoutingTable.parse("routes", "port 1 10.77.1.1/24\nport 2 10.77.2.1/24\n", 2);
            street.start(new IpRouter(street.ports(), routes).duty(0));
            load(one, two, "10.77.2.2");
        }
    }

    private static Process backEnd(Namespaces.Peer house, String name) throws Exception {
        // It has the service's address too, and keeps silent about it.
        house.shell("sysctl -qw net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2;"
                + " ip address add 10.77.0.80/32 dev lo");
        return house.start(Street.webServer("0.0.0.0", 8080, page(name)));
    }

    private static void balancerLeavesOutWhoIsKilled() throws Exception {
        try (Street street = new Street();
                MemoryLink link = new MemoryLink(FrameSettings.of("balancer").withPool(street.pool()))) {
            Namespaces.Peer client = street.house("", "10.77.0.2/24");
            Process one = backEnd(street.house("", "10.77.0.11/24"), "one");
            backEnd(street.house("", "10.77.0.12/24"), "two");
            // All four are on one link, which is a bridge of ours.
            List<Port> ports = new ArrayList<>(street.ports());
            ports.add(link.left());
            LoadBalancer balancer = new LoadBalancer(
                    link.right(),
                    InterfaceAddress.parse("10.77.0.5/24"),
                    LinkQueue.UNTAGGED,
                    VirtualService.parse("10.77.0.80:8080"),
                    List.of(
                            new LoadBalancer.BackEnd(InterfaceAddress.parseIpv4("10.77.0.11"), false),
                            new LoadBalancer.BackEnd(InterfaceAddress.parseIpv4("10.77.0.12"), false)));
            street.start(new LearningBridge(ports).duty(0), balancer.duty(0));
            leavesOutWhoIsKilled(balancer, client, CURL + "http://10.77.0.80:8080/page.txt", one);
        }
    }

    /** Both back ends answer a client, and when the first is killed the second does alone. */
    static void leavesOutWhoIsKilled(LoadBalancer balancer, Namespaces.Peer client, String question, Process one) throws Exception {
        Eventually.await("both are up", () -> up(balancer) == 2);
        String many = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do " + question + "; echo; done";
        assertThat(client.shell(many).lines()).hasSize(16).contains("one", "two");
        one.destroyForcibly().waitFor();
        Eventually.await("one is down", () -> up(balancer) == 1);
        assertThat(client.shell(many).lines()).hasSize(16).containsOnly("two");
    }

    private static long up(LoadBalancer balancer) {
        return balancer.backEnds().stream().filter(LoadBalancer.Count::isUp).count();
    }
}
