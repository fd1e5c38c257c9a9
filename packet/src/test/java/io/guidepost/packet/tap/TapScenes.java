package io.guidepost.packet.tap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.EchoHost;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Namespaces;
import io.guidepost.packet.Offload;
import io.guidepost.packet.Port;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.frame.ChecksumExchange;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.raw.RawPort;
import io.guidepost.packet.worker.FrameForwarder;
import io.guidepost.packet.worker.TxBuffer;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The scenes of {@link TapPortTest}: each in a network namespace of its own. */
final class TapScenes {
    private static final int[] PING_SIZES = {18, 22, 23, 86, 214, 470, 982, 1_472};

    private TapScenes() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        switch (args[0]) {
            case "ping" -> pingIsAnswered("tap:t0,address=10.0.0.1/24,mac=02:00:00:00:00:0c,frame-bytes=16384,mtu=9000");
            case "tun" -> pingIsAnswered("tun:t0,address=10.0.0.1/24+fd01::1/64,frame-bytes=16384,mtu=9000");
            case "queues" -> twoQueuesTwoWorkers();
            case "bytes" -> everyByteArrivesAtASocketAndBack();
            case "refusals" -> refusals();
            case "closed" -> aClosedPortDoesNoHarm();
            case "checksums" -> checksumsAreLeftBothWays();
            case "trains" -> tcpPassesInTrains();
            case "tcp" -> tcpPassesFromTapToPacketSocket();
            default -> throw new IllegalArgumentException("no scene " + args[0]);
        }
        Namespaces.done(args[0]);
    }

    private static Worker echoing(Port port, int queue) {
        FrameForwarder echo = new FrameForwarder(port.rx(queue), new EchoHost(port.mac()), new TxBuffer(port.tx(queue)));
        return new Worker(WorkerSettings.of("echo-" + queue)).watch(port.rx(queue)).add(echo);
    }

    private static void pingIsAnswered(String port) throws IOException, InterruptedException {
        if (!Namespaces.has("ping")) {
            Namespaces.skipped("no program ping here");
            return;
        }
        try (Port tap = FramePortOpener.open(port);
                Worker worker = echoing(tap, 0).start()) {
            for (int size : PING_SIZES) {
                // One at a time: after a first answer ping waits for others only as long as that took.
                String output = Namespaces.shell("ping -M do -c 1 -W 9 -s " + size + " 10.0.0.2");
                assertThat(output).contains("1 received").doesNotContain("wrong data byte", "DUP");
            }
            assertThat(Namespaces.shell("ping -M do -c 1 -W 9 -s 8972 10.0.0.2")).contains("1 received");
            assertThat(worker.statistics().faults()).isZero();
            assertThat(tap.frameBytesMax()).isEqualTo(9_014);
            assertThat(tap.deviceCounters().get("rx_packets")).isGreaterThanOrEqualTo(9L);
            assertThat(tap.link().up()).isTrue();
        }
        assertThat(Namespaces.shell("ip -o link")).as("interfaces after the port was closed").doesNotContain("t0:");
    }

    private static void twoQueuesTwoWorkers() throws IOException, InterruptedException {
        try (Port tap = FramePortOpener.open("tap:q%d,queues=2,address=10.0.0.1/24");
                Worker first = echoing(tap, 0).start();
                Worker second = echoing(tap, 1).start();
                DatagramSocket socket = new DatagramSocket()) {
            assertThat(tap.name()).isEqualTo("tap:q0");
            Namespaces.shell("ip neigh add 10.0.0.2 lladdr 02:00:00:00:00:02 dev q0");
            for (int i = 0; i < 400; i++) {
                try (DatagramSocket flow = new DatagramSocket()) {
                    flow.send(new DatagramPacket(new byte[20], 20, new InetSocketAddress("10.0.0.2", 2_000)));
                }
            }
            socket.send(new DatagramPacket(new byte[20], 20, new InetSocketAddress("10.0.0.2", 2_000)));
            Eventually.await("all flows", () -> tap.rx(0).statistics().packets() + tap.rx(1).statistics().packets() >= 401);
            assertThat(tap.rx(0).statistics().packets()).isPositive();
            assertThat(tap.rx(1).statistics().packets()).isPositive();
            assertThat(first.statistics().faults() + second.statistics().faults()).isZero();
        }
    }

    /** Datagrams of a kernel socket of all sizes come as whole frames; sent back they are its own. */
    private static void everyByteArrivesAtASocketAndBack() throws IOException, InterruptedException {
        for (String kind : List.of("tap:t0", "tun:t0", "tap:t0,checksums=software", "tun:t0,checksums=software")) {
            try (Port tap = FramePortOpener.open(kind + ",address=10.0.0.1/24,mac=02:00:00:00:00:0c");
                    Worker worker = reflecting(tap).start();
                    DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral("10.0.0.1"))) {
                socket.setSoTimeout(10_000);
                for (int size : new int[] {1, 18, 19, 82, 210, 466, 978, 1_471, 1_472}) {
                    byte[] sent = new byte[size];
                    for (int i = 0; i < size; i++) {
                        sent[i] = (byte) (i * 13 + size);
                    }
                    socket.send(new DatagramPacket(sent, size, new InetSocketAddress("10.0.0.2", 7)));
                    DatagramPacket got = new DatagramPacket(new byte[2_000], 2_000);
                    socket.receive(got);
                    assertThat(java.util.Arrays.copyOf(got.getData(), got.getLength())).isEqualTo(sent);
                }
                assertThat(worker.statistics().faults()).isZero();
            }
        }
    }

    /** Answers ARP, and sends UDP datagrams back with addresses and ports exchanged. */
    private static Worker reflecting(Port tap) {
        EchoHost host = new EchoHost(tap.mac());
        HeaderParser headers = new HeaderParser();
        return new Worker(WorkerSettings.of("reflecting")).watch(tap.rx(0)).add(new FrameForwarder(tap.rx(0), (in, i) -> {
            headers.read(in, i);
            if (headers.protocol() != HeaderParser.UDP || headers.destinationPort() != 7) {
                return host.frame(in, i);
            }
            long at = in.offset(i);
            assertThat(Memory.i64(at) >>> 16).isEqualTo(tap.mac());
            boolean left = tap.offloads().contains(Offload.RX_UDP_CHECKSUM);
            // Sent back it is as partial as it came: the sum does not care which address is whose.
            assertThat(InternetChecksum.check(in, i, headers))
                    .isEqualTo(left ? InternetChecksum.State.PARTIAL : InternetChecksum.State.RIGHT);
            long macs = Memory.i64(at + 6) >>> 16;
            Memory.copy(at, at + 6, 6);
            Memory.put32(at, (int) (macs >>> 16));
            Memory.put16(at + 4, (int) macs);
            Memory.put64(at + 26, Long.rotateLeft(Memory.i64(at + 26), 32));
            Memory.put32(at + 34, Integer.rotateLeft(Memory.i32(at + 34), 16));
            return 0;
        }, new TxBuffer(tap.tx(0))));
    }

    private static void checksumsAreLeftBothWays() throws IOException, InterruptedException {
        try (Port tap = FramePortOpener.open("tap:t0")) {
            Namespaces.shell("sysctl -qw net.ipv6.conf.t0.disable_ipv6=1");
            try (Port kernel = RawPort.open(FrameSettings.of("t0"))) {
                drain(tap);
                drain(kernel);
                ChecksumExchange there = ChecksumExchange.run(tap, kernel, 500);
                assertThat(there.right + there.unknown).isZero();
                ChecksumExchange back = ChecksumExchange.run(kernel, tap, 500);
                assertThat(back.right + back.unknown).isZero();
            }
        }
        try (Port tap = FramePortOpener.open("tap:t1,checksums=software")) {
            Namespaces.shell("sysctl -qw net.ipv6.conf.t1.disable_ipv6=1");
            try (Port kernel = RawPort.open(FrameSettings.of("t1"))) {
                drain(tap);
                drain(kernel);
                assertThat(ChecksumExchange.run(tap, kernel, 300).partial).isZero();
                assertThat(ChecksumExchange.run(kernel, tap, 300).partial).isZero();
            }
        }
    }

    private static void drain(Port port) {
        Burst in = port.rx(0).burst();
        while (port.rx(0).receive(in) > 0) {
            in.clear();
        }
    }

    private static void refusals() throws IOException, InterruptedException {
        assertThatThrownBy(() -> FramePortOpener.open("tap:t0,address=10.0.0.1"))
                .hasMessage("tap:t0: address is \"10.0.0.1\"; it must be one with its prefix length, as 10.0.0.1/24");
        assertThatThrownBy(() -> FramePortOpener.open("tap:t0,address=10.0.0.1/33")).hasMessageContaining("prefix length");
        assertThatThrownBy(() -> FramePortOpener.open("tap:t0,mac=03:00:00:00:00:01")).hasMessageContaining("of one device");
        Namespaces.shell("ip link add v0 type veth peer name v1");
        assertThatThrownBy(() -> FramePortOpener.open("tap:v0"))
                .hasMessage("tap:v0: an interface of that name is there, of another kind or number of queues");
        try (Port tap = FramePortOpener.open("tap:t0,address=fd00::1/64")) {
            assertThat(Namespaces.shell("ip -6 addr show dev t0")).contains("fd00::1/64");
            assertThatThrownBy(() -> FramePortOpener.open("tap:t0")).hasMessage("tap:t0: another program has the interface");
            Burst out = tap.tx(0).burst();
            out.append(13);
            assertThat(tap.tx(0).send(out)).isZero();
            assertThat(tap.tx(0).statistics().drops(Drop.REFUSED)).isEqualTo(1);
            Namespaces.shell("ip link set t0 down");
            out.append(60);
            assertThat(tap.tx(0).send(out)).isZero();
            assertThat(tap.tx(0).statistics().drops(Drop.UNREACHABLE)).isEqualTo(1);
        }
        try (Port tun = FramePortOpener.open("tun:t1")) {
            Burst out = tun.tx(0).burst();
            Memory.put16(out.room() + 12, HeaderParser.ARP);
            out.append(60);
            out.append(14);
            assertThat(tun.tx(0).send(out)).isZero();
            assertThat(tun.tx(0).statistics().drops(Drop.REFUSED)).isEqualTo(2);
        }
    }

    private static void aClosedPortDoesNoHarm() throws IOException, InterruptedException {
        Port tap = FramePortOpener.open("tap:t0");
        try (Worker worker = echoing(tap, 0).start()) {
            tap.close();
            long turns = worker.statistics().turns();
            worker.wake();
            Eventually.await("a turn over a closed port", () -> worker.statistics().turns() > turns);
            Burst out = tap.tx(0).burst();
            out.append(60);
            tap.tx(0).send(out);
            assertThat(tap.tx(0).statistics().packets()).isZero();
            tap.close();
            assertThat(worker.statistics().faults()).isZero();
        }
    }

    /** A middlebox between two back ends: kernel, TAP, here, packet socket, veth, kernel. */
    private static void tcpPassesFromTapToPacketSocket() throws IOException, InterruptedException {
        if (!Namespaces.has("iperf3")) {
            Namespaces.skipped("no program iperf3 here");
            return;
        }
        Namespaces.shell("ip link add v0 type veth peer name v1; sysctl -qw net.ipv6.conf.v0.disable_ipv6=1;"
                + " ip link set v0 up");
        try (Namespaces.Peer peer = new Namespaces.Peer()) {
            peer.take("v1");
            peer.shell("ip addr add 10.0.0.2/24 dev v1; ip link set v1 up");
            try (Port tap = FramePortOpener.open("tap:t0,address=10.0.0.1/24");
                    Port packet = RawPort.open(FrameSettings.of("v0"));
                    Worker out = wire(tap, packet).start();
                    Worker back = wire(packet, tap).start()) {
                List<String> outputs = new ArrayList<>();
                for (String direction : List.of("", "-R")) {
                    Process server = peer.start("iperf3 -s -1 --forceflush");
                    assertThat(server.inputReader().readLine()).isNotNull();
                    outputs.add(Namespaces.shell("for i in 1 2 3 4 5 6 7 8 9; do iperf3 -c 10.0.0.2 -n 10M " + direction
                            + " --connect-timeout 2000 && exit 0; done; exit 1"));
                    server.waitFor();
                }
                assertThat(outputs).allSatisfy(each -> assertThat(each).contains("receiver"));
                assertThat(tap.rx(0).statistics().packets()).isGreaterThan(5_000);
                assertThat(packet.rx(0).statistics().packets()).isGreaterThan(5_000);
                assertThat(packet.rx(0).statistics().drops(Drop.TRUNCATED)).isZero();
                assertThat(out.statistics().faults() + back.statistics().faults()).isZero();
            }
        }
    }

    /** A connection of the kernel with itself by way of the port, which exchanges the addresses: each packet passes as it is. */
    private static void tcpPassesInTrains() throws IOException, InterruptedException {
        byte[] sent = new byte[20_000_000];
        new SplittableRandom(9).nextBytes(sent);
        for (String version : List.of("10.0.0.", "fd01::")) {
            // The second port takes up the interface, and the routes, that the first has left.
            String address = version.startsWith("1") ? ",address=10.0.0.1/24+fd01::1/64,persistent=true" : "";
            try (Port tun = FramePortOpener.open("tun:t0,frame-bytes=2048,burst=64,trains=true" + address);
                    Worker worker = exchanging(tun).start();
                    ServerSocket server = new ServerSocket(0, 1, InetAddress.ofLiteral(version + "1"));
                    Socket client = new Socket(version + "2", server.getLocalPort());
                    Socket accepted = server.accept()) {
                Thread writer = Thread.ofPlatform().start(() -> {
                    try (OutputStream out = client.getOutputStream()) {
                        out.write(sent);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                assertThat(accepted.getInputStream().readAllBytes()).isEqualTo(sent);
                writer.join();
                assertThat(worker.statistics().faults()).isZero();
                for (QueueStatistics each : List.of(tun.rx(0).statistics(), tun.tx(0).statistics())) {
                    assertThat(each.packets()).isGreaterThan(sent.length / 1_460L);
                    assertThat(each.calls()).as("system calls").isLessThan(each.packets());
                    assertThat(each.drops(Drop.TRUNCATED) + each.drops(Drop.MALFORMED)).isZero();
                }
            }
        }
    }

    private static Worker exchanging(Port tun) {
        return new Worker(WorkerSettings.of("exchanging")).watch(tun.rx(0)).add(new FrameForwarder(tun.rx(0), (in, i) -> {
            InternetChecksum.complete(in, i);
            long at = in.offset(i);
            if (Memory.u16(at + 12) == TapPort.IPV4) {
                Memory.put64(at + 26, Long.rotateLeft(Memory.i64(at + 26), 32));
            } else {
                long low = Memory.i64(at + 30);
                Memory.put64(at + 30, Memory.i64(at + 46));
                Memory.put64(at + 46, low);
            }
            return 0;
        }, new TxBuffer(tun.tx(0))));
    }

    private static Worker wire(Port from, Port to) {
        return new Worker(WorkerSettings.of(from.name()))
                .watch(from.rx(0))
                .add(new FrameForwarder(from.rx(0), (in, i) -> 0, new TxBuffer(to.tx(0))));
    }
}
