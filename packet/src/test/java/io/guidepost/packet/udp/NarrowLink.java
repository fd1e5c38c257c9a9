package io.guidepost.packet.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.packet.Drop;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.Port;
import io.guidepost.packet.TestPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;

/** The scenes of {@link NarrowLinkTest}: to be run in a network namespace whose loopback was made for each. */
final class NarrowLink {
    private NarrowLink() {}

    public static void main(String[] args) throws IOException {
        switch (args[0]) {
            case "narrow" -> {
                trainsThatDoNotFitTheLinkFallApart("127.0.0.1");
                trainsThatDoNotFitTheLinkFallApart("::1");
            }
            case "link-local" -> linkLocalPeersAreAnswered();
            case "slow" -> whatHasNoPlaceStays();
            default -> throw new IllegalArgumentException("no scene " + args[0]);
        }
        System.out.println("done: " + args[0]);
    }

    private static void trainsThatDoNotFitTheLinkFallApart(String address) throws IOException {
        InetSocketAddress local = new InetSocketAddress(InetAddress.ofLiteral(address), 0);
        try (Port server = UdpPorts.open(UdpSettings.of(local).withSegmentationOffload(SegmentationOffload.ON));
                Port client = UdpPorts.open(UdpSettings.of(local).withSegmentationOffload(SegmentationOffload.ON))) {
            TestPeer asking = new TestPeer(client);
            // The first five fit the link, the rest does not.
            for (int i = 0; i < 40; i++) {
                asking.append(TestPeer.pattern(i < 5 ? 1_000 : 1_452, i), server.localAddress());
            }
            assertThat(asking.flush()).isZero();
            List<TestPeer.Datagram> datagrams = new TestPeer(server).receive(40);
            for (int i = 0; i < 40; i++) {
                assertThat(datagrams.get(i).bytes()).isEqualTo(TestPeer.pattern(i < 5 ? 1_000 : 1_452, i));
            }
            assertThat(Arrays.stream(Drop.values()).mapToLong(asking::sum).sum())
                    .isZero();
            asking.append(TestPeer.pattern(500, 1), server.localAddress());
            asking.append(TestPeer.pattern(500, 2), server.localAddress());
            long trains = client.tx(0).statistics().aggregates();
            asking.flush();
            assertThat(client.tx(0).statistics().aggregates()).as("trains that fit still go").isEqualTo(trains + 1);
        }
    }

    private static void linkLocalPeersAreAnswered() throws IOException {
        InetAddress address = InetAddress.ofLiteral("fe80::1%lo");
        for (String bound : List.of("fe80::1%lo", "::")) {
            try (Port server = UdpPorts.open(UdpSettings.of(new InetSocketAddress(InetAddress.ofLiteral(bound), 0)));
                    Port client = UdpPorts.open(UdpSettings.of(new InetSocketAddress(address, 0)))) {
                TestPeer answering = new TestPeer(server);
                TestPeer asking = new TestPeer(client);
                InetSocketAddress to =
                        new InetSocketAddress(address, server.localAddress().getPort());
                asking.send(TestPeer.pattern(50, 1), to);
                assertThat(answering.receive(1).getFirst().peer()).isEqualTo(client.localAddress());
                answering.echo();
                assertThat(asking.receive(1).getFirst().peer()).isEqualTo(to);
            }
        }
    }

    private static void whatHasNoPlaceStays() throws IOException {
        InetSocketAddress local = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
        try (Port server = UdpPorts.open(UdpSettings.of(local));
                Port client = UdpPorts.open(
                        UdpSettings.of(local).withBuffers(1 << 20, 1).withSegmentationOffload(SegmentationOffload.OFF))) {
            TestPeer asking = new TestPeer(client);
            for (int i = 0; i < 64; i++) {
                asking.append(TestPeer.pattern(1_000, i), server.localAddress());
            }
            assertThat(asking.flush()).as("packets that stayed").isBetween(1, 63);
            Eventually.await("the slow link to take the rest", () -> asking.flush() == 0);
            List<TestPeer.Datagram> datagrams = new TestPeer(server).receive(64);
            for (int i = 0; i < 64; i++) {
                assertThat(datagrams.get(i).bytes()).isEqualTo(TestPeer.pattern(1_000, i));
            }
            for (int i = 0; i < 64; i++) {
                asking.append(TestPeer.pattern(1_000, i), server.localAddress());
            }
            int stayed = asking.flush();
            client.tx(0).drop(asking.out());
            assertThat(asking.sum(Drop.NO_ROOM)).isEqualTo(stayed).isPositive();
            assertThat(client.tx(0).statistics().packets()).isEqualTo(128 - stayed);
        }
    }
}
