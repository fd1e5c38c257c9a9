package io.guidepost.packet.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.AddressText;
import io.guidepost.base.Addresses;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.Namespaces;
import io.guidepost.packet.Port;
import io.guidepost.packet.TestPeer;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Scenes of {@link NetlinkTest}, each in a network namespace of its own. */
final class NetlinkScenes {
    private static final int TCP = 6;
    private static final int UDP = 17;

    private NetlinkScenes() {}

    public static void main(String[] args) throws Exception {
        Namespaces.shell("ip link set lo up");
        switch (args[0]) {
            case "events" -> events();
            case "listeners" -> listeners();
            case "device" -> device();
            default -> route();
        }
        Namespaces.done(args[0]);
    }

    private static List<String> texts(LinkAddresses links) {
        while (links.update()) {
            // All that has happened is taken.
        }
        return links.all().stream()
                .filter(each -> !Addresses.isLinkLocal(each.high()))
                .map(each -> each.device() + " " + AddressText.of(each.high(), each.low()) + (each.up() ? " up" : " down")
                        + (each.network() ? "" : " own"))
                .toList();
    }

    private static void events() throws Exception {
        try (LinkAddresses links = new LinkAddresses()) {
            assertThat(texts(links)).containsExactly("lo 127.0.0.1 up own", "lo ::1 up own");
            assertThat(links.update()).isFalse();
            Namespaces.shell("ip link add n1 type veth peer name n2; ip addr add fd01::1/64 dev n1 nodad; ip addr add 10.1.0.1/24 dev n1");
            // The kernel works on addresses of IPv6 after the command has ended.
            List<String> all = List.of("lo 127.0.0.1 up own", "n1 10.1.0.1 down", "lo ::1 up own", "n1 fd01::1 down");
            Eventually.await("all four addresses", () -> texts(links).equals(all));
            Namespaces.shell("ip link set n1 up; ip link set n2 up");
            Eventually.await("the link is up", () -> texts(links).contains("n1 10.1.0.1 up"));
            Namespaces.shell("ip link set n2 down");
            Eventually.await("the link is down", () -> texts(links).contains("n1 10.1.0.1 down"));
            Namespaces.shell("ip addr del 10.1.0.1/24 dev n1; ip tuntap add n9 mode tun; ip addr add 10.2.0.1/24 dev n9");
            assertThat(texts(links)).contains("n9 10.2.0.1 down own").noneMatch(each -> each.contains("10.1.0.1"));
            Namespaces.shell("ip link del n1");
            assertThat(texts(links)).noneMatch(each -> each.startsWith("n1 "));
            // More events than the socket's buffer holds: the kernel drops some, and all is asked for again.
            Namespaces.shell("ip link add n3 type veth peer name n4; ip addr add 10.3.0.1/24 dev n3");
            Namespaces.shell("for i in $(seq 1500); do echo link set n3 alias a$i; echo link set n4 alias b$i; done | ip -batch -;"
                    + " ip link set n3 up; ip link set n4 up");
            Eventually.await("the link is up", () -> texts(links).contains("n3 10.3.0.1 up"));
        }
    }

    private static void listeners() throws Exception {
        Namespaces.shell("ip addr add 10.4.0.1/24 dev lo");
        long own = Addresses.ipv4Low(0x0a04_0001);
        long other = Addresses.ipv4Low(0x7f00_0001);
        InetAddress ownAddress = Addresses.ofIpv4(0x0a04_0001);
        try (SocketDiagnostics sockets = new SocketDiagnostics();
                ServerSocket everywhere = new ServerSocket(0);
                ServerSocket four = new ServerSocket(0, 1, InetAddress.ofLiteral("0.0.0.0"));
                DatagramSocket datagrams = new DatagramSocket(0, ownAddress);
                DatagramSocket anyDatagrams = new DatagramSocket()) {
            for (ServerSocket each : List.of(everywhere, four)) {
                assertThat(sockets.listens(TCP, 0, own, each.getLocalPort())).isTrue();
                assertThat(sockets.listens(TCP, 0, other, each.getLocalPort())).isTrue();
                assertThat(sockets.listens(UDP, 0, own, each.getLocalPort())).isFalse();
            }
            assertThat(sockets.listens(UDP, 0, own, datagrams.getLocalPort())).isTrue();
            assertThat(sockets.listens(UDP, 0, other, datagrams.getLocalPort())).isFalse();
            assertThat(sockets.listens(UDP, 0, own, anyDatagrams.getLocalPort())).isTrue();
            // ::1: a socket of both versions of IP has it, one of IPv4 has not.
            assertThat(sockets.listens(TCP, 0, 1, everywhere.getLocalPort())).isTrue();
            assertThat(sockets.listens(UDP, 0, 1, anyDatagrams.getLocalPort())).isTrue();
            assertThat(sockets.listens(UDP, 0, 1, datagrams.getLocalPort())).isFalse();
            // Of a server that has gone connections are left, and no listener.
            List<Socket> connection = new ArrayList<>();
            int port;
            try (ServerSocket one = new ServerSocket(0, 1, ownAddress)) {
                port = one.getLocalPort();
                assertThat(sockets.listens(TCP, 0, own, port)).isTrue();
                assertThat(sockets.listens(TCP, 0, other, port)).isFalse();
                assertThat(sockets.listens(TCP, 0, 1, port)).isFalse();
                connection.add(new Socket(ownAddress, port));
                connection.add(one.accept());
            }
            assertThat(sockets.listens(TCP, 0, own, port)).isFalse();
            int peerPort = connection.getFirst().getLocalPort();
            assertThat(sockets.hasConnection(0, own, port, 0, own, peerPort)).isTrue();
            assertThat(sockets.hasConnection(0, own, port, 0, other, peerPort)).isFalse();
            assertThat(sockets.hasConnection(0, own, four.getLocalPort(), 0, own, peerPort)).as("a socket listens there").isFalse();
            for (Socket each : connection) {
                each.setSoLinger(true, 0);
                each.close();
            }
            assertThat(sockets.hasConnection(0, own, port, 0, own, peerPort)).isFalse();
        }
    }

    private static void route() throws Exception {
        Namespaces.shell("ip tuntap add n9 mode tun; ip link set n9 up; ip addr add 100.64.0.1/10 dev n9");
        RouteMetrics.retransmissionTimeoutMin("n9", 0, Addresses.ipv4Low(0x6440_0001), 10, 5);
        assertThat(Namespaces.shell("ip route show dev n9").strip())
                .matches("100\\.64\\.0\\.0/10 proto kernel scope link src 100\\.64\\.0\\.1 (linkdown )?rto_min lock 5ms( linkdown)?");
        // A veth looks for duplicates of its address first, for a second; a TUN for as long as the kernel's work queue takes.
        Namespaces.shell("ip link add n8 type veth peer name n7; ip link set n7 up; ip link set n8 up");
        Namespaces.shell("ip addr add fd01::6440:1/106 dev n8");
        assertThat(Namespaces.shell("ip -6 addr show dev n8 tentative")).contains("fd01::6440:1");
        RouteMetrics.retransmissionTimeoutMin("n8", 0xfd01_0000_0000_0000L, 0x6440_0001, 106, 5);
        assertThat(Namespaces.shell("ip -6 route show dev n8 | grep fd01").strip())
                .matches("fd01::6440:0/106 proto kernel metric 256 (linkdown )?rto_min lock 5ms( linkdown)? pref medium");
        RouteMetrics.lead("n9", 0xfd02_0000_0000_0000L, 1_520);
        assertThat(Namespaces.shell("ip -6 route show dev n9 | grep fd02").strip())
                .matches("fd02::/64 proto static metric 256 (linkdown )?mtu lock 1520( linkdown)? pref medium");
    }

    /** Two links to one network: a socket bound to one of them sends by it, whatever the routes say. */
    private static void device() throws Exception {
        Namespaces.shell("ip link add a1 type veth peer name b1; ip link add a2 type veth peer name b2;"
                + " for i in 1 2; do ip link set a$i up; ip link set b$i up; done;"
                + " ip addr add 10.5.1.1/24 dev a1; ip addr add 10.5.2.1/24 dev a2;"
                + " ip route add 10.9.0.0/16 via 10.5.1.9 dev a1; ip route add 10.9.0.0/16 via 10.5.2.9 dev a2 metric 9;"
                + " ip neigh add 10.5.1.9 lladdr 02:00:00:00:00:01 dev a1; ip neigh add 10.5.2.9 lladdr 02:00:00:00:00:01 dev a2");
        InetSocketAddress local = new InetSocketAddress(InetAddress.ofLiteral("10.5.2.1"), 0);
        NetDevice second = NetDevice.named("a2", "test");
        long before = sent(second);
        try (Port port = UdpPorts.open(UdpSettings.of(local).withDevice("a2"))) {
            new TestPeer(port).send(TestPeer.pattern(1000, 1), new InetSocketAddress(InetAddress.ofLiteral("10.9.0.1"), 5500));
            Eventually.await("the datagram has left by a2", () -> sent(second) > before + 1000);
        }
    }

    private static long sent(NetDevice device) {
        return device.counters().getOrDefault("tx_bytes", 0L);
    }
}
