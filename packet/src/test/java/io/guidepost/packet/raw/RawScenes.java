package io.guidepost.packet.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.EchoHost;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.LinkState;
import io.guidepost.packet.Namespaces;
import io.guidepost.packet.Offload;
import io.guidepost.packet.Port;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.frame.ChecksumExchange;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.worker.FrameForwarder;
import io.guidepost.packet.worker.TxBuffer;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The scenes of {@link RawPortTest}: each in a network namespace of its own. */
final class RawScenes {
    private static final int[] SIZES = {14, 15, 59, 60, 61, 124, 252, 508, 1020, 1513, 1514};

    private RawScenes() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        switch (args[0]) {
            case "sizes" -> everyByteArrives(1_500, 2_048, SIZES);
            case "jumbo" -> everyByteArrives(9_000, 16_384, 60, 1_514, 3_000, 9_013, 9_014);
            case "tags" -> tagsAreKept();
            case "addresses" -> framesForOthersAreSeenOnlyIfAskedFor();
            case "bursts" -> thousandsArriveInOrderAndMemoryComesBack();
            case "ping" -> pingIsAnsweredAtEverySize();
            case "tcp" -> tcpPassesThroughTwoPorts();
            case "udp" -> trainsOfUdpAreCut();
            case "queues" -> twoQueuesShareTheFlows();
            case "closed" -> aClosedPortDoesNoHarm();
            case "down" -> anInterfaceThatIsDownIsUnreachable();
            case "no-memory" -> framesWaitForMemory();
            case "quiet" -> aSleepingWorkerWakes();
            case "checksums" -> checksumsAreLeftToTheDevice();
            default -> throw new IllegalArgumentException("no scene " + args[0]);
        }
        Namespaces.done(args[0]);
    }

    /** A pair of interfaces that say nothing by themselves. */
    private static void pair(int mtu) throws IOException, InterruptedException {
        Namespaces.shell("ip link add v0 address 02:00:00:00:00:0a mtu " + mtu + " type veth peer name v1"
                + " address 02:00:00:00:00:0b mtu " + mtu
                + "; sysctl -qw net.ipv6.conf.v0.disable_ipv6=1 net.ipv6.conf.v1.disable_ipv6=1"
                + "; ip link set v0 up; ip link set v1 up");
    }

    private static FrameSettings named(String device) {
        return FrameSettings.of(device);
    }

    /** Writes a frame from one interface to the other; every byte is another one. */
    private static void fill(long at, int length, long destination, int seed) {
        for (int i = 12; i < length; i++) {
            Memory.put8(at + i, i * 31 + seed);
        }
        Memory.put64(at, destination << 16 | 0x0200);
        Memory.put32(at + 8, 0x0a);
        if (length >= 14) {
            Memory.put16(at + 12, 0x88b5);
        }
    }

    private static void same(Burst in, int index, long expected, int length) {
        assertThat(in.length(index)).isEqualTo(length);
        for (int i = 0; i < length; i++) {
            assertThat(Memory.u8(in.offset(index) + i)).as("byte %d of %d", i, length).isEqualTo(Memory.u8(expected + i));
        }
    }

    private static int receive(Port port, Burst in) {
        int[] got = {0};
        Eventually.await("a frame at " + port.name(), () -> (got[0] = port.rx(0).receive(in)) > 0);
        return got[0];
    }

    private static void everyByteArrives(int mtu, int frameBytes, int... sizes) throws IOException, InterruptedException {
        pair(mtu);
        try (Port left = RawPort.open(named("v0").withFrames(1024, frameBytes));
                Port right = RawPort.open(named("v1").withFrames(1024, frameBytes))) {
            assertThat(left.mac()).isEqualTo(0x02_00_00_00_00_0aL);
            assertThat(left.link()).isEqualTo(new LinkState(true, 10_000));
            assertThat(left.frameBytesMax()).isEqualTo(mtu + 14);
            Burst out = left.tx(0).burst();
            Burst in = right.rx(0).burst();
            long copy = right.rx(0).burst().room();
            for (int size : sizes) {
                fill(out.room(), size, right.mac(), size);
                fill(copy, size, right.mac(), size);
                out.append(size);
                assertThat(left.tx(0).send(out)).isZero();
                assertThat(receive(right, in)).isEqualTo(1);
                same(in, 0, copy, size);
            }
            out.append(13);
            assertThat(left.tx(0).send(out)).isZero();
            assertThat(left.tx(0).statistics().drops(Drop.REFUSED)).isEqualTo(1);
            fill(out.room(), mtu + 15, right.mac(), 1);
            out.append(mtu + 15);
            assertThat(left.tx(0).send(out)).isZero();
            assertThat(left.tx(0).statistics().drops(Drop.TOO_LARGE)).isEqualTo(1);
            assertThat(left.tx(0).statistics().packets()).isEqualTo(sizes.length);
            assertThat(right.deviceCounters().get("rx_packets")).isEqualTo(sizes.length);
        }
    }

    private static void tagsAreKept() throws IOException, InterruptedException {
        pair(1_500);
        try (Port left = RawPort.open(named("v0"));
                Port right = RawPort.open(named("v1"))) {
            Burst out = left.tx(0).burst();
            Burst in = right.rx(0).burst();
            long copy = right.rx(0).burst().room();
            for (int[] tags : new int[][] {{0x8100}, {0x88a8}, {0x8100, 0x8100}, {0x88a8, 0x8100}}) {
                // The kernel gives only frames with a tag of 802.1Q in front four bytes more.
                for (int length : new int[] {60, tags[0] == 0x8100 ? 1_518 : 1_514}) {
                    fill(copy, length, right.mac(), 7);
                    for (int i = 0; i < tags.length; i++) {
                        Memory.put16(copy + 12 + 4L * i, tags[i]);
                        Memory.put16(copy + 14 + 4L * i, 0x6000 | 100 + i);
                    }
                    Memory.copy(copy, out.room(), length);
                    out.append(length);
                    assertThat(left.tx(0).send(out)).isZero();
                    assertThat(receive(right, in)).isEqualTo(1);
                    same(in, 0, copy, length);
                }
            }
        }
    }

    private static void framesForOthersAreSeenOnlyIfAskedFor() throws IOException, InterruptedException {
        pair(1_500);
        try (Port left = RawPort.open(named("v0"));
                Port all = RawPort.open(named("v1"));
                Port own = RawPort.open(named("v1").withPromiscuous(false))) {
            Burst out = left.tx(0).burst();
            long[] destinations = {0x02_00_00_00_00_0cL, 0xffff_ffff_ffffL, 0x02_00_00_00_00_0bL};
            for (long destination : destinations) {
                fill(out.room(), 60, destination, 1);
                out.append(60);
            }
            assertThat(left.tx(0).send(out)).isZero();
            Burst in = all.rx(0).burst();
            assertThat(receive(all, in)).isEqualTo(3);
            Burst fewer = own.rx(0).burst();
            assertThat(receive(own, fewer)).isEqualTo(2);
            assertThat(Memory.i64(fewer.offset(0)) >>> 16).isEqualTo(destinations[1]);
            assertThat(Memory.i64(fewer.offset(1)) >>> 16).isEqualTo(destinations[2]);
            assertThat(left.rx(0).receive(left.rx(0).burst())).as("its own frames that leave").isZero();
        }
    }

    private static void thousandsArriveInOrderAndMemoryComesBack() throws IOException, InterruptedException {
        pair(1_500);
        FramePool pool = new FramePool(2048, 2048, FrameSettings.HEADROOM_BYTES);
        try (Port left = RawPort.open(named("v0").withPool(pool));
                Port right = RawPort.open(named("v1").withPool(pool))) {
            Burst out = left.tx(0).burst();
            Burst in = right.rx(0).burst();
            long sent = 0;
            long seen = 0;
            while (seen < 100_000) {
                while (sent < 100_000 && out.hasRoom() && sent - seen < 1_000) {
                    fill(out.room(), 60, right.mac(), 1);
                    Memory.put64(out.room() + 14, sent++);
                    out.append(60);
                }
                left.tx(0).send(out);
                int got = right.rx(0).receive(in);
                for (int i = 0; i < got; i++) {
                    assertThat(Memory.i64(in.offset(i) + 14)).isEqualTo(seen++);
                }
            }
            in.clear();
            assertThat(right.rx(0).statistics().packets()).isEqualTo(100_000);
            assertThat(right.rx(0).statistics().bytes()).isEqualTo(6_000_000);
            // Views and the messages of the queues keep some at hand; frames that leaked would be thousands.
            assertThat(pool.free()).isGreaterThan(2048 - 5 * 128);
        }
    }

    /** Answers ARP and ICMP echo, in place. */
    private static void pingIsAnsweredAtEverySize() throws IOException, InterruptedException {
        if (!Namespaces.has("ping")) {
            Namespaces.skipped("no program ping here");
            return;
        }
        pair(9_000);
        try (Namespaces.Peer peer = new Namespaces.Peer()) {
            peer.take("v1");
            peer.shell("ip addr add 10.0.0.2/24 dev v1; ip link set v1 up");
            try (Port port = RawPort.open(named("v0").withFrames(1024, 16_384));
                    Worker worker = echoing(port, 0, "ping").start()) {
                for (int size : new int[] {18, 22, 23, 86, 214, 470, 982, 1_472, 8_972}) {
                    // One at a time: after a first answer ping waits for others only as long as that took.
                String output = peer.shell("ping -M do -c 1 -W 9 -s " + size + " 10.0.0.1");
                    assertThat(output).contains("1 received").doesNotContain("wrong data byte", "DUP");
                }
                assertThat(worker.statistics().faults()).isZero();
            }
        }
    }

    private static Worker echoing(Port port, int queue, String name) {
        TxBuffer out = new TxBuffer(port.tx(queue));
        EchoHost host = new EchoHost(port.mac());
        return new Worker(WorkerSettings.of(name)).watch(port.rx(queue)).add(new FrameForwarder(port.rx(queue), host, out));
    }

    private static void between(Namespaces.Peer one, Namespaces.Peer other) throws IOException, InterruptedException {
        Namespaces.shell("ip link add v0 type veth peer name v1; ip link add w0 type veth peer name w1"
                + "; sysctl -qw net.ipv6.conf.v0.disable_ipv6=1 net.ipv6.conf.w0.disable_ipv6=1"
                + "; ip link set v0 up; ip link set w0 up");
        one.take("v1");
        other.take("w1");
        one.shell("ip addr add 10.0.0.1/24 dev v1; ip addr add fd00::1/64 dev v1 nodad; ip link set v1 up");
        other.shell("ip addr add 10.0.0.2/24 dev w1; ip addr add fd00::2/64 dev w1 nodad; ip link set w1 up");
    }

    private static Worker wire(Port from, Port to, String name) {
        return new Worker(WorkerSettings.of(name))
                .watch(from.rx(0))
                .add(new FrameForwarder(from.rx(0), (in, i) -> 0, new TxBuffer(to.tx(0))));
    }

    /** The kernels at both ends leave checksums and the cutting of trains to their devices. */
    private static void tcpPassesThroughTwoPorts() throws IOException, InterruptedException {
        if (!Namespaces.has("iperf3")) {
            Namespaces.skipped("no program iperf3 here");
            return;
        }
        try (Namespaces.Peer one = new Namespaces.Peer();
                Namespaces.Peer other = new Namespaces.Peer()) {
            between(one, other);
            FramePool pool = new FramePool(8192, 2048, FrameSettings.HEADROOM_BYTES);
            try (Port left = RawPort.open(named("v0").withPool(pool));
                    Port right = RawPort.open(named("w0").withPool(pool));
                    Worker there = wire(left, right, "there").start();
                    Worker back = wire(right, left, "back").start()) {
                for (String address : List.of("10.0.0.2", "fd00::2")) {
                    Process server = other.start("iperf3 -s -1 --forceflush");
                    assertThat(server.inputReader().readLine()).isNotNull();
                    String output = one.shell("for i in 1 2 3 4 5 6 7 8 9; do"
                            + " iperf3 -c " + address + " -n 20M --connect-timeout 2000 && exit 0; done; exit 1");
                    assertThat(output).contains("receiver");
                    server.waitFor();
                }
                // The client may end before all that it wrote has left.
                assertThat(left.rx(0).statistics().packets()).isGreaterThan(20_000);
                assertThat(left.rx(0).statistics().aggregates()).as("trains that were cut").isPositive();
                for (Port port : List.of(left, right)) {
                    assertThat(port.rx(0).statistics().drops(Drop.TRUNCATED)).isZero();
                    assertThat(port.rx(0).statistics().drops(Drop.MALFORMED)).isZero();
                    assertThat(port.tx(0).statistics().drops(Drop.TOO_LARGE)).isZero();
                }
                assertThat(there.statistics().faults() + back.statistics().faults()).isZero();
                assertThat(other.shell("cat /proc/net/snmp")).containsPattern("Tcp: .*\nTcp: .* 0\n");
            }
        }
    }

    /** Trains that a program gives to the kernel in one call (UDP_SEGMENT) arrive as datagrams with right checksums. */
    private static void trainsOfUdpAreCut() throws IOException, InterruptedException {
        pair(1_500);
        Namespaces.shell("ip addr add 10.0.0.1/24 dev v0; ip neigh add 10.0.0.9 lladdr 02:00:00:00:00:0b dev v0");
        try (Port right = RawPort.open(named("v1"))) {
            UdpTrain.send("10.0.0.9", 50, 1_000, 300);
            Burst in = right.rx(0).burst();
            HeaderParser headers = new HeaderParser();
            List<Integer> lengths = new ArrayList<>();
            Eventually.await("fifty-one datagrams", () -> {
                int got = right.rx(0).receive(in);
                for (int i = 0; i < got; i++) {
                    assertThat(headers.read(in, i)).isTrue();
                    assertThat(headers.destinationPort()).isEqualTo(9_999);
                    assertThat(InternetChecksum.check(in, i, headers)).isEqualTo(InternetChecksum.State.PARTIAL);
                    InternetChecksum.complete(in, i);
                    long ip = in.offset(i) + 14;
                    int udp = in.length(i) - 34;
                    assertThat(InternetChecksum.of(ip, 20)).isZero();
                    assertThat(Memory.u16(ip + 26)).isNotZero();
                    assertThat(InternetChecksum.fold(InternetChecksum
                            .add(InternetChecksum.add(17 + udp, ip + 12, 8), ip + 20, udp))).isZero();
                    for (int b = 0; b < udp - 8; b++) {
                        int place = lengths.size() * 1_000 + b;
                        assertThat(Memory.u8(ip + 28 + b)).isEqualTo(place * 7 & 0xff);
                    }
                    lengths.add(udp - 8);
                }
                return lengths.size() == 51;
            });
            assertThat(lengths.subList(0, 50)).containsOnly(1_000);
            assertThat(lengths.getLast()).isEqualTo(300);
            assertThat(right.rx(0).statistics().aggregates()).isEqualTo(1);
        }
    }

    /** What a device takes comes partial over veth; what it does not take the kernel completes; or the port does. */
    private static void checksumsAreLeftToTheDevice() throws IOException, InterruptedException {
        pair(1_500);
        Map<String, String> bySoftware = Map.of("checksums", "software");
        try (Port left = RawPort.open(named("v0"));
                Port right = RawPort.open(named("v1"));
                Port plain = RawPort.open(named("v0").withOptions(bySoftware));
                Port whole = RawPort.open(named("v1").withOptions(bySoftware))) {
            assertThat(left.offloads()).containsAll(Offload.checksums());
            assertThat(plain.offloads()).doesNotContainAnyElementsOf(Offload.checksums());
            ChecksumExchange offloaded = ChecksumExchange.run(left, right, 1_000);
            assertThat(offloaded.right + offloaded.unknown).isZero();
            // Without room before the frame what the kernel is told is elsewhere.
            Burst out = left.tx(0).burst();
            Burst in = right.rx(0).burst();
            for (int front = 0; front < 20; front++) {
                out.append(0);
                out.reshape(0, out.offset(0) - 256 + front, 100);
                fill(out.offset(0), 100, right.mac(), front);
                out.checksum(0, TransportChecksum.partial(50, front));
                assertThat(left.tx(0).send(out)).isZero();
                assertThat(receive(right, in)).isEqualTo(1);
                assertThat(in.length(0)).isEqualTo(100);
                assertThat(in.checksum(0)).isEqualTo(TransportChecksum.partial(50, front));
                for (int i = 14; i < 100; i++) {
                    assertThat(Memory.u8(in.offset(0) + i)).isEqualTo(i * 31 + front & 0xff);
                }
            }
            // Of one burst some are left and some not: they go together, and keep their order.
            for (int i = 0; i < 60; i++) {
                fill(out.room(), 100, right.mac(), i);
                out.append(100);
                out.checksum(i, i % 3 == 0 ? TransportChecksum.partial(50, i % 20) : TransportChecksum.UNKNOWN);
            }
            assertThat(left.tx(0).send(out)).isZero();
            for (int seen = 0; seen < 60; ) {
                int got = receive(right, in);
                for (int i = 0; i < got; i++, seen++) {
                    assertThat(Memory.u8(in.offset(i) + 99)).isEqualTo(99 * 31 + seen & 0xff);
                    assertThat(in.checksum(i)).isEqualTo(seen % 3 == 0 ? TransportChecksum.partial(50, seen % 20) : 0);
                }
            }
            drain(whole);
            assertThat(ChecksumExchange.run(left, whole, 300).partial).isZero();
            drain(right);
            assertThat(ChecksumExchange.run(plain, right, 300).partial).isZero();
            if (Namespaces.has("ethtool")) {
                Namespaces.shell("ethtool -K v0 tx off");
                drain(right);
                assertThat(ChecksumExchange.run(left, right, 1_000).partial).isZero();
            }
            assertThat(left.tx(0).statistics().drops(Drop.REFUSED)).isZero();
        }
    }

    private static void drain(Port port) {
        Burst in = port.rx(0).burst();
        while (port.rx(0).receive(in) > 0) {
            in.clear();
        }
    }

    private static void twoQueuesShareTheFlows() throws IOException, InterruptedException {
        pair(1_500);
        try (Port left = RawPort.open(named("v0"));
                Port right = RawPort.open(named("v1").withQueues(2).withOptions(Map.of("defrag", "true")))) {
            AtomicLong[] counts = {new AtomicLong(), new AtomicLong()};
            List<Worker> workers = new ArrayList<>();
            for (int queue = 0; queue < 2; queue++) {
                AtomicLong count = counts[queue];
                workers.add(new Worker(WorkerSettings.of("queue-" + queue))
                        .watch(right.rx(queue))
                        .add(new FrameForwarder(right.rx(queue), (in, i) -> {
                            count.incrementAndGet();
                            return 0;
                        }, new TxBuffer(right.tx(queue))))
                        .start());
            }
            long echoed = 0;
            Burst out = left.tx(0).burst();
            Burst in = left.rx(0).burst();
            for (int i = 0; i < 2_000; i++) {
                EchoHost.datagram(out.room(), left.mac(), right.mac(), i);
                out.append(60);
                if (out.isFull() || i == 1_999) {
                    left.tx(0).send(out);
                }
                echoed += left.rx(0).receive(in);
            }
            long[] all = {echoed};
            Eventually.await("all frames back", () -> (all[0] += left.rx(0).receive(in)) == 2_000);
            workers.forEach(Worker::close);
            assertThat(counts[0].get() + counts[1].get()).isEqualTo(2_000);
            assertThat(counts[0].get()).as("share of the first queue").isBetween(500L, 1_500L);
        }
    }

    private static void aClosedPortDoesNoHarm() throws IOException, InterruptedException {
        pair(1_500);
        Port left = RawPort.open(named("v0"));
        Port right = RawPort.open(named("v1"));
        try (Worker worker = echoing(right, 0, "closed").start()) {
            right.close();
            long turns = worker.statistics().turns();
            worker.wake();
            Eventually.await("a turn over a closed port", () -> worker.statistics().turns() > turns);
            Burst out = left.tx(0).burst();
            fill(out.room(), 60, right.mac(), 1);
            out.append(60);
            left.close();
            assertThat(left.tx(0).send(out)).isZero();
            assertThat(left.tx(0).statistics().drops(Drop.CLOSED)).isEqualTo(1);
            assertThat(left.rx(0).receive(left.rx(0).burst())).isZero();
            left.close();
            assertThat(worker.statistics().faults()).isZero();
        }
    }

    private static void anInterfaceThatIsDownIsUnreachable() throws IOException, InterruptedException {
        pair(1_500);
        try (Port left = RawPort.open(named("v0"))) {
            Namespaces.shell("ip link set v0 down");
            assertThat(left.link()).isEqualTo(LinkState.DOWN);
            Burst out = left.tx(0).burst();
            fill(out.room(), 60, 0xb, 1);
            out.append(60);
            assertThat(left.tx(0).send(out)).isZero();
            assertThat(left.tx(0).statistics().drops(Drop.UNREACHABLE)).isEqualTo(1);
            Namespaces.shell("ip link set v0 up");
            fill(out.room(), 60, 0xb, 1);
            out.append(60);
            left.tx(0).send(out);
            assertThat(left.tx(0).statistics().packets()).isEqualTo(1);
        }
    }

    /** With every frame of a small pool held elsewhere nothing is lost in the port: frames wait in the kernel. */
    private static void framesWaitForMemory() throws IOException, InterruptedException {
        pair(1_500);
        FramePool small = new FramePool(512, 2048, FrameSettings.HEADROOM_BYTES);
        try (Port left = RawPort.open(named("v0"));
                Port right = RawPort.open(named("v1").withPool(small).withBurstMax(32))) {
            Burst held = Burst.ofFrames(small.view("holder"), 512, 0);
            while (held.hasRoom()) {
                held.append(60);
            }
            assertThat(held.count()).isEqualTo(512);
            Burst out = left.tx(0).burst();
            for (int i = 0; i < 20; i++) {
                fill(out.room(), 60, right.mac(), i);
                out.append(60);
            }
            assertThat(left.tx(0).send(out)).isZero();
            Burst in = right.rx(0).burst();
            assertThat(right.rx(0).receive(in)).isZero();
            held.clear();
            int[] got = {0};
            Eventually.await("the frames that waited", () -> (got[0] += right.rx(0).receive(in)) == 20);
        }
    }

    private static void aSleepingWorkerWakes() throws IOException, InterruptedException {
        pair(1_500);
        AtomicLong seen = new AtomicLong();
        try (Port left = RawPort.open(named("v0"));
                Port right = RawPort.open(named("v1"));
                Worker worker = new Worker(WorkerSettings.of("quiet").withWaiting(0, 0, 60_000))
                        .watch(right.rx(0))
                        .add(new FrameForwarder(right.rx(0), (in, i) -> {
                            seen.incrementAndGet();
                            return -1;
                        }))
                        .start()) {
            Burst out = left.tx(0).burst();
            for (int i = 1; i <= 100; i++) {
                long sleeps = worker.statistics().sleeps();
                Eventually.await("sleep", () -> worker.statistics().sleeps() >= Math.max(1, sleeps));
                fill(out.room(), 60, right.mac(), i);
                out.append(60);
                left.tx(0).send(out);
                int expected = i;
                Eventually.await("frame " + i, () -> seen.get() == expected);
            }
        }
    }
}
