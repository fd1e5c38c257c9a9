package io.guidepost.packet.xdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Offload;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.frame.ChecksumExchange;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.worker.DatagramResponder;
import io.guidepost.packet.worker.DutyCycle;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The port on a real interface, with the kernel's own network stack at the other end. */
class XdpPortTest {
    private static final int SERVICE = 5001;
    private static final Path ETHTOOL = Path.of("/usr/sbin/ethtool");
    private static final int WAIT_MILLIS = 10_000;

    /** Ethernet, IPv4 and UDP headers: frames of 60 to 1,514 bytes, check sequence not counted, have 18 to 1,472 more. */
    private static final int HEADERS_BYTES = 42;

    @ParameterizedTest
    @CsvSource({
        "native, 10.91.0.1, 1500, 2048",
        "generic, 10.91.0.1, 1500, 2048",
        "native, fd91::1, 1500, 2048",
        "generic, fd91::1, 1500, 2048",
        "native, 10.91.0.1, 3000, 4096",
        "generic, 10.91.0.1, 3000, 4096",
        "generic, 10.91.0.1, 1774, 2048",
        "generic, fd91::1, 3822, 4096"
    })
    void everySizeComesBackWhole(String mode, String address, int mtu, int frameBytes)
            throws IOException, InterruptedException {
        String name = "xdp:left,mode=" + mode + ",redirect=udp:" + SERVICE + ",frame-bytes=" + frameBytes;
        try (XdpTestWire wire = XdpTestWire.open(mtu, 1);
                Port port = wire.inLeft(() -> FramePortOpener.open(name));
                Worker worker = echo(port, 0);
                DatagramSocket socket = wire.inRight(() -> new DatagramSocket())) {
            assertThat(port.name()).isEqualTo("xdp:left,mode=" + mode);
            assertThat(port.frameBytesMax()).isEqualTo(mtu + 14);
            int ipv6 = address.contains(":") ? 20 : 0;
            int last = mtu + 14 - HEADERS_BYTES - ipv6;
            for (int size = 18; size <= last; size++) {
                exchange(socket, address, size, size);
            }
            assertThat(worker.statistics().faults()).isZero();
            assertThat(port.deviceCounters()).containsEntry("xdp_redirected", last - 17L);
            assertThat(port.rx(0).statistics().packets()).isEqualTo(last - 17L);
            // A frame counts as sent once the kernel has said so, which may be after it has arrived.
            Eventually.await("the last frame is counted", () -> port.tx(0).statistics().packets() == last - 17L);
            assertThat(port.rx(0).statistics().drops(Drop.OVERFLOW)).isZero();
        }
    }

    /** Over the ring they leave as they were left, and come as found; what veth does not take the kernel completes. */
    @ParameterizedTest
    @ValueSource(strings = {"native", "generic"})
    void checksumsAreLeftToTheDevice(String mode) throws IOException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1)) {
            wire.leftRun("sysctl", "-qw", "net.ipv6.conf.left.disable_ipv6=1");
            wire.rightRun("sysctl", "-qw", "net.ipv6.conf.right.disable_ipv6=1");
            wire.leftRun("ip", "addr", "flush", "dev", "left");
            wire.rightRun("ip", "addr", "flush", "dev", "right");
            try (Port left = wire.inLeft(() -> FramePortOpener.open("xdp:left,mode=" + mode));
                    Port right = wire.inRight(() -> FramePortOpener.open("packet:right"))) {
                assertThat(left.offloads()).contains(Offload.TX_UDP_CHECKSUM, Offload.TX_TCP_CHECKSUM);
                ChecksumExchange there = ChecksumExchange.run(left, right, 500);
                assertThat(there.right + there.unknown).isZero();
                ChecksumExchange back = ChecksumExchange.run(right, left, 500);
                assertThat(back.right + back.unknown).isZero();
                if (Files.isExecutable(ETHTOOL)) {
                    wire.leftRun("ethtool", "-K", "left", "tx", "off");
                    assertThat(ChecksumExchange.run(left, right, 500).partial).isZero();
                }
            }
            try (Port left = wire.inLeft(() -> FramePortOpener.open("xdp:left,checksums=software,mode=" + mode));
                    Port right = wire.inRight(() -> FramePortOpener.open("packet:right"))) {
                assertThat(left.offloads()).isEmpty();
                assertThat(ChecksumExchange.run(left, right, 300).partial).isZero();
                assertThat(ChecksumExchange.run(right, left, 300).partial).isZero();
            }
        }
    }

    /** Headers that reach to the front of a piece leave no place for what the kernel is told of the frame. */
    @Test
    void aFrameAtTheFrontOfItsPieceIsMoved() throws IOException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1)) {
            // A frame of the kernel's own before ours would hide it.
            wire.leftRun("sysctl", "-qw", "net.ipv6.conf.left.disable_ipv6=1");
            wire.rightRun("sysctl", "-qw", "net.ipv6.conf.right.disable_ipv6=1");
            try (Port left = wire.inLeft(() -> FramePortOpener.open("xdp:left"));
                    Port right = wire.inRight(() -> FramePortOpener.open("packet:right"))) {
                Burst out = left.tx(0).burst();
                Burst in = right.rx(0).burst();
                for (int front : new int[] {0, 1, 23, 24, 25, 256}) {
                    out.append(0);
                    out.reshape(0, out.offset(0) - 256 + front, 1_000);
                    for (int i = 12; i < 1_000; i++) {
                        Memory.put8(out.offset(0) + i, i * 31 + front);
                    }
                    Memory.put64(out.offset(0), right.mac() << 16);
                    Memory.put16(out.offset(0) + 12, 0x88b5);
                    out.checksum(0, TransportChecksum.partial(100 + front, 10));
                    assertThat(left.tx(0).send(out)).isZero();
                    Eventually.await("the frame", () -> right.rx(0).receive(in) > 0
                            && Memory.u16(in.offset(0) + 12) == 0x88b5);
                    assertThat(in.checksum(0)).isEqualTo(TransportChecksum.partial(100 + front, 10));
                    for (int i = 14; i < 1_000; i++) {
                        assertThat(Memory.u8(in.offset(0) + i)).isEqualTo(i * 31 + front & 0xff);
                    }
                }
            }
        }
    }

    /** In generic mode frames of the peer's queues 0 and 1 come on queue 0 and those of queue 2 on queue 1. */
    @ParameterizedTest
    @CsvSource({"native, 2", "generic, 3"})
    void twoQueuesHaveAWorkerEach(String mode, int peerQueues) throws IOException, InterruptedException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 2, peerQueues);
                Port port = wire.inLeft(
                        () -> FramePortOpener.open("xdp:left,queues=2,mode=" + mode + ",redirect=udp:" + SERVICE));
                Worker first = echo(port, 0);
                Worker second = echo(port, 1)) {
            assertThat(port.queues()).isEqualTo(2);
            List<DatagramSocket> sockets = new ArrayList<>();
            try {
                for (int i = 0; i < 32; i++) {
                    sockets.add(wire.inRight(() -> new DatagramSocket()));
                }
                for (int i = 0; i < 1600; i++) {
                    exchange(sockets.get(i % 32), XdpTestWire.LEFT_IP, 100 + i % 1000, i);
                }
            } finally {
                sockets.forEach(DatagramSocket::close);
            }
            long one = port.rx(0).statistics().packets();
            long other = port.rx(1).statistics().packets();
            assertThat(one + other).isEqualTo(1600);
            assertThat(one).isPositive();
            assertThat(other).isPositive();
            Eventually.await("both workers to have counted", () -> first.statistics().moved() == one
                    && second.statistics().moved() == other);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "generic"})
    void theKernelGetsWhatIsNotRedirected(String mode) throws IOException, InterruptedException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1);
                Port port = wire.inLeft(() -> FramePortOpener.open("xdp:left,mode=" + mode + ",redirect=udp:" + SERVICE));
                Worker worker = echo(port, 0);
                DatagramSocket socket = wire.inRight(() -> new DatagramSocket());
                DatagramSocket other = wire.inLeft(() -> new DatagramSocket(SERVICE + 1));
                ServerSocket shell = wire.inLeft(() -> new ServerSocket(22))) {
            exchange(socket, XdpTestWire.LEFT_IP, 100, 1);
            assertThat(wire.rightRun("ping", "-c", "3", "-i", "0.01", "-W", "5", XdpTestWire.LEFT_IP)).contains(" 0% packet loss");
            try (Socket login = wire.inRight(() -> new Socket(XdpTestWire.LEFT_IP, 22));
                    Socket accepted = shell.accept()) {
                login.getOutputStream().write(42);
                assertThat(accepted.getInputStream().read()).isEqualTo(42);
            }
            send(socket, XdpTestWire.LEFT_IP, SERVICE + 1, new byte[33]);
            other.setSoTimeout(WAIT_MILLIS);
            DatagramPacket got = new DatagramPacket(new byte[100], 100);
            other.receive(got);
            assertThat(got.getLength()).isEqualTo(33);
            exchange(socket, XdpTestWire.LEFT_IP, 200, 2);
            Eventually.await("the worker to have counted", () -> worker.statistics().moved() == 2);
            Map<String, Long> counters = port.deviceCounters();
            assertThat(counters.get("xdp_redirected")).isEqualTo(2);
            assertThat(counters.get("xdp_passed")).isGreaterThan(6);
        }
    }

    @Test
    void autoTakesTheDriverIfItCan() throws IOException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1)) {
            wire.leftRun("ip", "link", "set", "dev", "lo", "mtu", "1500");
            try (Port driver = wire.inLeft(() -> FramePortOpener.open("xdp:left"));
                    Port behind = wire.inLeft(() -> FramePortOpener.open("xdp:lo"))) {
                assertThat(driver.name()).isEqualTo("xdp:left,mode=native");
                assertThat(behind.name()).isEqualTo("xdp:lo,mode=generic");
                assertThat(wire.leftRun("ip", "link", "show", "dev", "left")).contains(" xdp ");
                assertThat(wire.leftRun("ip", "link", "show", "dev", "lo")).contains(" xdpgeneric ");
            }
            assertThat(wire.leftRun("ip", "link", "show", "dev", "left")).doesNotContain("xdp ");
            assertThat(wire.leftRun("ip", "link", "show", "dev", "lo")).doesNotContain("xdpgeneric");
        }
    }

    @Test
    void framesGoOnToAnotherPortOfTheSamePoolWithoutACopyAndAllComeBack() throws IOException, InterruptedException {
        FramePool pool = new FramePool(8192, 2048, FrameSettings.HEADROOM_BYTES);
        try (XdpTestWire one = XdpTestWire.open(1500, 1);
                XdpTestWire two = XdpTestWire.open(1500, 1)) {
            two.rightRun("ip", "addr", "flush", "dev", "right");
            two.rightRun("ip", "addr", "add", "10.91.0.3/24", "dev", "right");
            for (String mode : List.of("native", "generic", "native")) {
                FrameSettings settings = FrameSettings.of("left").withPool(pool).withOptions(Map.of("mode", mode));
                try (Port left = one.inLeft(() -> XdpPort.open(settings));
                        Port right = two.inLeft(() -> XdpPort.open(settings));
                        DatagramSocket asking = one.inRight(() -> new DatagramSocket());
                        DatagramSocket answering = two.inRight(() -> new DatagramSocket(SERVICE));
                        Worker worker = bridge(left, right)) {
                    Thread answerer = Thread.ofPlatform().daemon().start(() -> answer(answering));
                    SplittableRandom random = new SplittableRandom(2);
                    for (int i = 0; i < 3000; i++) {
                        exchange(asking, "10.91.0.3", random.nextInt(1473), i);
                    }
                    closeNow(answering);
                    answerer.join();
                    assertThat(worker.statistics().faults()).isZero();
                    // The worker counts a frame after it has sent it.
                    Eventually.await("that each is counted", () -> left.tx(0).statistics().packets() >= 3000);
                    assertThat(pool.free()).isLessThan(8192);
                }
                assertThat(pool.free()).as(pool.holders()).isEqualTo(8192);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "generic"})
    void anAddressOfItsOwnIsReachableByArpAndSolicitations(String mode) throws IOException {
        String name = "xdp:left,mode=" + mode + ",redirect=address:10.91.0.9+fd91::9";
        try (XdpTestWire wire = XdpTestWire.open(1500, 1);
                Port port = wire.inLeft(() -> FramePortOpener.open(name));
                DatagramSocket socket = wire.inRight(() -> new DatagramSocket())) {
            Burst in = port.rx(0).burst();
            send(socket, "10.91.0.9", 7, new byte[20]);
            awaitFrame(port, in);
            assertThat(Memory.u16(in.offset(0) + 12)).isEqualTo(HeaderParser.ARP);
            assertThat(Memory.i32(in.offset(0) + 38)).isEqualTo(0x0a5b_0009);
            send(socket, "fd91::9", 7, new byte[20]);
            HeaderParser headers = new HeaderParser();
            Eventually.await("a solicitation", () -> port.rx(0).receive(in) > 0
                    && headers.read(in, in.count() - 1)
                    && headers.protocol() == HeaderParser.ICMPV6
                    && headers.frame().u8(headers.transportOffset()) == 135);
            wire.rightRun("ip", "neigh", "replace", "10.91.0.9", "lladdr", "02:00:00:00:00:99", "dev", "right");
            send(socket, "10.91.0.9", 7, new byte[20]);
            Eventually.await("the datagram", () -> port.rx(0).receive(in) > 0
                    && headers.read(in, in.count() - 1)
                    && headers.destinationPort() == 7);
            assertThat(wire.rightRun("ping", "-c", "1", "-W", "5", XdpTestWire.LEFT_IP)).contains(" 0% packet loss");
        }
    }

    private static void awaitFrame(Port port, Burst in) {
        Eventually.await("a frame", () -> port.rx(0).receive(in) > 0);
    }

    @Test
    void framesForOtherAddressesComeUnlessThatIsOff() throws IOException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1)) {
            for (boolean on : new boolean[] {true, false}) {
                try (Port port = wire.inLeft(() -> FramePortOpener.open("xdp:left,promiscuous=" + on))) {
                    assertThat(port.queues()).isEqualTo(1);
                    assertThat(wire.leftRun("ip", "-d", "link", "show", "dev", "left")).contains("promiscuity " + (on ? 1 : 0));
                }
            }
            try (Port port = wire.inLeft(() -> FramePortOpener.open("xdp:left,redirect=udp:9"))) {
                assertThat(port.queues()).isEqualTo(1);
                assertThat(wire.leftRun("ip", "-d", "link", "show", "dev", "left")).contains("promiscuity 0");
            }
        }
    }

    @Test
    void aThreadThatReceivesCanDriveTheDevice() throws IOException, InterruptedException {
        String name = "xdp:left,mode=native,busy-poll=50,busy-poll-frames=32,redirect=udp:" + SERVICE;
        try (XdpTestWire wire = XdpTestWire.open(1500, 1);
                Port port = wire.inLeft(() -> FramePortOpener.open(name));
                Worker worker = echo(port, 0);
                DatagramSocket socket = wire.inRight(() -> new DatagramSocket())) {
            for (int i = 0; i < 200; i++) {
                exchange(socket, XdpTestWire.LEFT_IP, 18 + i, i);
            }
            Eventually.await("the worker to have counted", () -> worker.statistics().moved() == 200);
        }
    }

    /** The largest MTU of a size of frames is what is said of the kind. */
    @ParameterizedTest
    @CsvSource({"3000, 2048, 1774", "9000, 2048, 1774", "9000, 4096, 3822"})
    void framesThatAreTooLongAreLostAndCountedWhereThatWasAskedFor(int mtu, int frameBytes, int mtuMax)
            throws IOException, InterruptedException {
        assertThat(XdpPort.mtuMax(frameBytes)).isEqualTo(mtuMax);
        String name = "xdp:left,mode=generic,oversize=drop,redirect=udp:" + SERVICE + ",frame-bytes=" + frameBytes;
        try (XdpTestWire wire = XdpTestWire.open(mtu, 1);
                Port port = wire.inLeft(() -> FramePortOpener.open(name));
                Worker worker = echo(port, 0);
                DatagramSocket socket = wire.inRight(() -> new DatagramSocket())) {
            assertThat(port.frameBytesMax()).isEqualTo(mtuMax + 14);
            exchange(socket, XdpTestWire.LEFT_IP, mtuMax - 28, 1);
            send(socket, XdpTestWire.LEFT_IP, SERVICE, new byte[Math.min(mtuMax + 26, mtu - 28)]);
            exchange(socket, XdpTestWire.LEFT_IP, 100, 2);
            assertThat(port.rx(0).statistics().drops(Drop.OVERFLOW)).isEqualTo(1);
            assertThat(port.deviceCounters()).containsEntry("xdp_rx_dropped", 1L);
            assertThat(worker.statistics().faults()).isZero();
        }
    }

    @Test
    void aProcessThatIsKilledLeavesNothing() throws IOException, InterruptedException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1)) {
            String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            Process process = wire.leftStart(
                    java,
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Holder.class.getName(),
                    "xdp:left,mode=native");
            try {
                assertThat(process.inputReader().readLine()).isEqualTo("xdp:left,mode=native");
                assertThat(wire.leftRun("ip", "link", "show", "dev", "left")).contains(" xdp ");
            } finally {
                process.destroyForcibly().waitFor();
            }
            assertThat(wire.leftRun("ip", "link", "show", "dev", "left")).doesNotContain(" xdp ");
            try (Port port = wire.inLeft(() -> FramePortOpener.open("xdp:left,mode=native"))) {
                assertThat(port.queues()).isEqualTo(1);
            }
        }
    }

    /** A program that opens a port and never closes it. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            Port port = FramePortOpener.open(arguments[0]);
            System.out.println(port.name());
            Thread.currentThread().join();
        }
    }

    @Test
    void aFullRingKeepsWhatItHasNoPlaceFor() throws IOException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1);
                Port port = wire.inLeft(() -> FramePortOpener.open("xdp:left,ring=64,burst=256,frames=1024"))) {
            Burst out = port.tx(0).burst();
            int sent = 0;
            for (int round = 0; round < 50; round++) {
                while (out.hasRoom()) {
                    frame(out);
                }
                int before = out.count();
                sent += before - port.tx(0).send(out);
                assertThat(before - out.count()).isLessThanOrEqualTo(64);
            }
            assertThat(port.tx(0).statistics().packets()).isEqualTo(sent);
            int all = sent;
            Eventually.await("the frames to leave", () -> {
                port.rx(0).receive(port.rx(0).burst());
                return counter(wire, "rx_packets") >= all;
            });
        }
    }

    @Test
    void whatCannotLeaveIsDroppedWithAReasonAndTheRestLeaves() throws IOException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1);
                Port port = wire.inLeft(() -> FramePortOpener.open("xdp:left"))) {
            Burst out = port.tx(0).burst();
            frame(out);
            out.append(1519);
            out.append(13);
            frame(out);
            assertThat(port.tx(0).send(out)).isZero();
            assertThat(port.tx(0).statistics().packets()).isEqualTo(2);
            assertThat(port.tx(0).statistics().drops(Drop.TOO_LARGE)).isEqualTo(1);
            assertThat(port.tx(0).statistics().drops(Drop.OTHER)).isEqualTo(1);
        }
    }

    @Test
    void closingUnderItsWorkerHarmsNothing() throws IOException, InterruptedException {
        FramePool pool = new FramePool(8192, 2048, FrameSettings.HEADROOM_BYTES);
        try (XdpTestWire wire = XdpTestWire.open(1500, 1);
                DatagramSocket socket = wire.inRight(() -> new DatagramSocket())) {
            for (int i = 0; i < 20; i++) {
                Port port = wire.inLeft(() -> XdpPort.open(FrameSettings.of("left")
                        .withPool(pool)
                        .withOptions(Map.of("redirect", "udp:" + SERVICE))));
                try (Worker worker = echo(port, 0)) {
                    exchange(socket, XdpTestWire.LEFT_IP, 500, i);
                    for (int j = 0; j < 100; j++) {
                        send(socket, XdpTestWire.LEFT_IP, SERVICE, new byte[500]);
                    }
                    port.close();
                    port.close();
                    long turns = worker.statistics().turns();
                    worker.wake();
                    Eventually.await("another turn", () -> worker.statistics().turns() > turns + 1);
                    assertThat(worker.statistics().faults()).isZero();
                }
                while (drained(socket)) {
                    // Answers that had been sent before the port was closed.
                }
                Burst burst = port.tx(0).burst();
                burst.append(60);
                assertThat(port.tx(0).send(burst)).isZero();
                assertThat(port.tx(0).statistics().drops(Drop.CLOSED)).isPositive();
                assertThat(pool.free()).as(pool.holders()).isEqualTo(8192);
            }
        }
    }

    private static void closeNow(DatagramSocket socket) {
        socket.close();
    }

    private static boolean drained(DatagramSocket socket) throws IOException {
        socket.setSoTimeout(1);
        try {
            socket.receive(new DatagramPacket(new byte[2000], 2000));
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        }
    }

    private static long counter(XdpTestWire wire, String name) {
        try {
            return Long.parseLong(wire.rightRun("cat", "/sys/class/net/right/statistics/" + name).strip());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void frame(Burst out) {
        long at = out.room();
        Memory.put64(at, -1L);
        Memory.put64(at + 8, 0x0000_0000_88b5_0000L);
        out.append(60);
    }

    private static Worker echo(Port port, int queue) throws InterruptedException {
        return new Worker(WorkerSettings.of("echo-" + queue))
                .watch(port.rx(queue))
                .add(new DatagramResponder(port.rx(queue), port.tx(queue), new UdpEcho()))
                .start();
    }

    private static Worker bridge(Port one, Port other) throws InterruptedException {
        return new Worker(WorkerSettings.of("bridge"))
                .watch(one.rx(0))
                .watch(other.rx(0))
                .add(forward(one.rx(0), other.tx(0)))
                .add(forward(other.rx(0), one.tx(0)))
                .start();
    }

    private static DutyCycle forward(RxQueue from, TxQueue to) {
        Burst in = from.burst();
        Burst out = to.burst();
        return nowMillis -> {
            int number = from.receive(in);
            for (int i = 0; i < number; i++) {
                long at = in.offset(i);
                assertThat(out.take(in, i)).isTrue();
                assertThat(out.offset(out.count() - 1)).isEqualTo(at);
            }
            to.send(out);
            return number;
        };
    }

    private static void answer(DatagramSocket socket) {
        DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
        try {
            while (true) {
                packet.setLength(2000);
                socket.receive(packet);
                socket.send(packet);
            }
        } catch (IOException e) {
            // It was closed: the test is over.
        }
    }

    private static void exchange(DatagramSocket socket, String address, int size, int seed) throws IOException {
        byte[] sent = new byte[size];
        new SplittableRandom(seed).nextBytes(sent);
        send(socket, address, SERVICE, sent);
        socket.setSoTimeout(WAIT_MILLIS);
        DatagramPacket answer = new DatagramPacket(new byte[4000], 4000);
        socket.receive(answer);
        assertThat(Arrays.copyOf(answer.getData(), answer.getLength()))
                .as("answer to %d bytes", size)
                .isEqualTo(sent);
    }

    private static void send(DatagramSocket socket, String address, int port, byte[] bytes) throws IOException {
        socket.send(new DatagramPacket(bytes, bytes.length, new InetSocketAddress(InetAddress.getByName(address), port)));
    }
}
