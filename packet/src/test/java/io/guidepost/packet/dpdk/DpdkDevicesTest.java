package io.guidepost.packet.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Offload;
import io.guidepost.packet.Port;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.frame.ChecksumExchange;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.raw.RawPort;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Devices of DPDK that reach files and interfaces, against the kernel on the other side. */
class DpdkDevicesTest {
    private static final int[] LENGTHS = {60, 61, 64, 65, 128, 256, 512, 1024, 1514};
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final String NEAR = "gpdpdk0";
    private static final String FAR = "gpdpdk1";

    @TempDir
    Path folder;

    @BeforeAll
    static void dpdk() {
        Devices.assumeDpdk();
    }

    @AfterEach
    void removeInterfaces() throws InterruptedException {
        ran("ip", "link", "delete", NEAR);
    }

    @Test
    void framesOfAFileComeInAndGoOutInAnother() throws IOException {
        Path in = folder.resolve("in.pcap");
        Path out = folder.resolve("out.pcap");
        Files.write(in, pcap());
        try (DpdkPort port = Devices.open("net_pcap0", "rx_pcap=" + in, "tx_pcap=" + out)) {
            Burst received = port.rx(0).burst();
            Burst sent = port.tx(0).burst();
            for (int number = 0; number < LENGTHS.length; ) {
                int count = port.rx(0).receive(received);
                for (int i = 0; i < count; i++) {
                    assertThat(received.length(i)).isEqualTo(LENGTHS[number + i]);
                    assertThat(bytes(received, i)).isEqualTo(frame(LENGTHS[number + i]));
                    assertThat(sent.take(received, i)).isTrue();
                }
                number += count;
                assertThat(port.tx(0).send(sent)).isZero();
            }
        }
        byte[] written = Files.readAllBytes(out);
        byte[] read = pcap();
        assertThat(written).hasSize(read.length);
        int at = 24;
        for (int length : LENGTHS) {
            // The times of two files differ, the frames must not.
            assertThat(java.util.Arrays.copyOfRange(written, at + 16, at + 16 + length)).isEqualTo(frame(length));
            at += 16 + length;
        }
    }

    @Test
    void framesReachTheKernelAndComeFromItThroughAfPacket() throws Exception {
        veth();
        exchange(NEAR, "net_af_packet0", "iface=" + NEAR);
    }

    @Test
    void framesPassBetweenTwoInterfacesOfAfPacketInAllLengths() throws Exception {
        veth();
        try (DpdkPort near = Devices.open("net_af_packet1", "iface=" + NEAR);
                DpdkPort far = Devices.open("net_af_packet2", "iface=" + FAR)) {
            Burst out = near.tx(0).burst();
            Burst in = far.rx(0).burst();
            for (int length : LENGTHS) {
                Memory.copy(frame(length), 0, out.room(), length);
                out.append(length);
                assertThat(near.tx(0).send(out)).isZero();
                awaitFrame(far, in, length);
            }
            assertThat(near.mac()).isNotZero();
            assertThat(near.link().up()).isTrue();
        }
    }

    @Test
    void framesPassThroughMemoryThatTwoDevicesShare() throws Exception {
        String socket = "socket=" + folder.resolve("memif.sock");
        try (DpdkPort server = Devices.open("net_memif0", "role=server", "id=0", "socket-abstract=no", socket);
                DpdkPort client = Devices.open("net_memif1", "role=client", "id=0", "socket-abstract=no", socket)) {
            long end = System.nanoTime() + DEADLINE_NANOS;
            while (!(server.link().up() && client.link().up()) && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(1_000_000);
            }
            Burst out = client.tx(0).burst();
            Burst in = server.rx(0).burst();
            for (int length : LENGTHS) {
                Memory.copy(frame(length), 0, out.room(), length);
                out.append(length);
                assertThat(client.tx(0).send(out)).isZero();
                awaitFrame(server, in, length);
            }
        }
    }

    @Test
    void aDeviceWithoutLongFramesSaysSo() throws Exception {
        veth();
        FrameSettings settings = FrameSettings.of("net_af_packet3").withFrames(1024, 16_384);
        try (DpdkPort port = Devices.open(settings, "iface=" + NEAR)) {
            assertThat(port.frameBytesMax()).isEqualTo(1518);
            assertThat(port.offloads()).isEmpty();
        }
    }

    /** Skips a test where another program may make no TAP device either. */
    private static void assumeTapDevices() throws Exception {
        assumeTrue(Files.isWritable(Path.of("/dev/net/tun")), "there is no /dev/net/tun to write to");
        assumeTrue(ran("ip", "tuntap", "add", FAR, "mode", "tap"), "no TAP device can be made: needs CAP_NET_ADMIN, and ip of iproute2");
        assumeTrue(ran("ip", "link", "del", FAR), "the TAP device cannot be removed again");
    }

    @Test
    void anInterfaceOfItsOwnIsMadeByTap() throws Exception {
        assumeTapDevices();
        exchange(NEAR, "net_tap0", "iface=" + NEAR);
    }

    /** The driver completes and checks; in software it does, but by the same flags as a card. */
    @Test
    void checksumsAreLeftToADeviceThatHasThem() throws Exception {
        assumeTapDevices();
        try (DpdkPort device = Devices.open("net_tap1", "iface=" + NEAR)) {
            assertThat(device.offloads()).containsAll(Offload.checksums());
            assumeTrue(
                    ran("sysctl", "-qw", "net.ipv6.conf." + NEAR + ".disable_ipv6=1") && ran("ip", "link", "set", NEAR, "up"),
                    "the interface cannot be set up here");
            try (Port kernel = RawPort.open(FrameSettings.of(NEAR))) {
                drain(device);
                drain(kernel);
                ChecksumExchange there = ChecksumExchange.run(device, kernel, 500);
                assertThat(there.partial).isZero();
                ChecksumExchange back = ChecksumExchange.run(kernel, device, 500);
                assertThat(back.right).as("checked by the driver").isPositive();
                assertThat(back.partial).isZero();
                Burst out = kernel.tx(0).burst();
                Burst in = device.rx(0).burst();
                byte[] frame = HexFormat.of().parseHex("020000000001020000000002080045000020000040004011"
                        + "26cb0a0000010a00000213891388000c0001ffeeddcc");
                Memory.copy(frame, 0, out.room(), frame.length);
                out.append(frame.length);
                kernel.tx(0).send(out);
                Eventually.await("the broken datagram", () -> device.rx(0).receive(in) > 0);
                assertThat(in.checksum(0)).isEqualTo(TransportChecksum.WRONG);
                in.clear();
            }
        }
        try (DpdkPort device = Devices.open("net_tap2", "iface=" + NEAR, "checksums=software")) {
            assertThat(device.offloads()).isEmpty();
            ran("sysctl", "-qw", "net.ipv6.conf." + NEAR + ".disable_ipv6=1");
            ran("ip", "link", "set", NEAR, "up");
            try (Port kernel = RawPort.open(FrameSettings.of(NEAR))) {
                drain(device);
                drain(kernel);
                assertThat(ChecksumExchange.run(device, kernel, 200).partial).isZero();
                assertThat(ChecksumExchange.run(kernel, device, 200).right).isZero();
            }
        }
    }

    /** Its driver drops what the kernel says of a frame; so partial checksums are looked for. */
    @Test
    void partialChecksumsOfAfPacketAreFound() throws Exception {
        veth();
        ran("sysctl", "-qw", "net.ipv6.conf." + NEAR + ".disable_ipv6=1");
        ran("sysctl", "-qw", "net.ipv6.conf." + FAR + ".disable_ipv6=1");
        try (DpdkPort device = Devices.open("net_af_packet4", "iface=" + NEAR);
                Port kernel = RawPort.open(FrameSettings.of(FAR))) {
            drain(device);
            drain(kernel);
            // The driver has the kernel put fragments together, and puts every tag back as one of 802.1Q.
            ChecksumExchange come = ChecksumExchange.run(
                    kernel, device, 300, frame -> !frame.isFragment() && frame.frame().u16(12) != HeaderParser.SERVICE_VLAN);
            assertThat(come.right + come.unknown).isZero();
            assertThat(ChecksumExchange.run(device, kernel, 300).partial).isZero();
        }
    }

    private static void drain(Port port) {
        Burst in = port.rx(0).burst();
        while (port.rx(0).receive(in) > 0) {
            in.clear();
        }
    }

    /** The kernel asks through the interface for an address, and the port answers; then the kernel pings, and is heard. */
    private static void exchange(String name, String device, String... options) throws Exception {
        try (DpdkPort port = Devices.open(device, options)) {
            String other = device.startsWith("net_tap") ? name : FAR;
            assumeTrue(
                    ran("ip", "addr", "add", "198.18.77.1/24", "dev", other) && ran("ip", "link", "set", other, "up"),
                    "addresses cannot be set here");
            // An address that nobody has answered for yet: the kernel asks by ARP.
            Process ping = new ProcessBuilder("ping", "-c", "3", "-i", "0.2", "-W", "5", "198.18.77.2")
                    .redirectErrorStream(true)
                    .start();
            Burst in = port.rx(0).burst();
            Burst out = port.tx(0).burst();
            long end = System.nanoTime() + DEADLINE_NANOS;
            while (ping.isAlive() && System.nanoTime() - end < 0) {
                int count = port.rx(0).receive(in);
                for (int i = 0; i < count; i++) {
                    answer(in, i, out);
                }
                port.tx(0).send(out);
                LockSupport.parkNanos(100_000);
            }
            String said = new String(ping.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(said).contains("3 received").contains(" 0% packet loss");
        }
    }

    /** Turns a question into its answer where it stands: ARP for any address, echo for any packet. */
    private static void answer(Burst in, int index, Burst out) {
        long at = in.offset(index);
        int type = Memory.u16(at + 12);
        boolean isArp = type == 0x0806 && Memory.u16(at + 20) == 1;
        boolean isEcho = type == 0x0800 && Memory.u8(at + 23) == 1 && Memory.u8(at + 34) == 8;
        if (!isArp && !isEcho || !out.take(in, index)) {
            return;
        }
        Memory.copy(at + 6, at, 6);
        Memory.put16(at + 6, 0x0200);
        Memory.put32(at + 8, 77);
        if (isArp) {
            int asked = Memory.i32(at + 38);
            Memory.put16(at + 20, 2);
            Memory.copy(at + 22, at + 32, 10);
            Memory.copy(at + 6, at + 22, 6);
            Memory.put32(at + 28, asked);
        } else {
            int from = Memory.i32(at + 26);
            Memory.put32(at + 26, Memory.i32(at + 30));
            Memory.put32(at + 30, from);
            Memory.put8(at + 34, 0);
            // From type 8 to type 0 the sum of the rest grows by 0x0800.
            int sum = Memory.u16(at + 36) + 0x0800;
            Memory.put16(at + 36, (sum & 0xffff) + (sum >>> 16));
        }
    }

    private static void awaitFrame(DpdkPort port, Burst in, int length) {
        long end = System.nanoTime() + DEADLINE_NANOS;
        while (System.nanoTime() - end < 0) {
            int count = port.rx(0).receive(in);
            for (int i = 0; i < count; i++) {
                // The kernel says something of its own on a new interface.
                if (in.length(i) == length && Memory.u16(in.offset(i) + 12) == 0x88b5) {
                    assertThat(bytes(in, i)).isEqualTo(frame(length));
                    return;
                }
            }
            LockSupport.parkNanos(100_000);
        }
        throw new AssertionError("a frame of " + length + " bytes did not come within 20 seconds");
    }

    private static byte[] bytes(Burst burst, int index) {
        byte[] bytes = new byte[burst.length(index)];
        Memory.copy(burst.offset(index), bytes, 0, bytes.length);
        return bytes;
    }

    /** A frame for everybody, of a type for experiments, with random content. */
    private static byte[] frame(int length) {
        byte[] frame = new byte[length];
        new Random(length).nextBytes(frame);
        java.util.Arrays.fill(frame, 0, 6, (byte) 0xff);
        frame[6] = 2;
        frame[12] = (byte) 0x88;
        frame[13] = (byte) 0xb5;
        return frame;
    }

    private static byte[] pcap() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(Integer.reverseBytes(0xa1b2c3d4));
        out.writeInt(Integer.reverseBytes(4 << 16 | 2));
        out.writeLong(0);
        out.writeInt(Integer.reverseBytes(65_535));
        out.writeInt(Integer.reverseBytes(1));
        for (int length : LENGTHS) {
            out.writeLong(0);
            out.writeInt(Integer.reverseBytes(length));
            out.writeInt(Integer.reverseBytes(length));
            out.write(frame(length));
        }
        return bytes.toByteArray();
    }

    private static void veth() throws InterruptedException {
        assumeTrue(
                ran("ip", "link", "add", NEAR, "type", "veth", "peer", "name", FAR),
                "virtual interfaces cannot be made here: that needs root and the ip command");
        assertThat(ran("ip", "link", "set", NEAR, "up") && ran("ip", "link", "set", FAR, "up")).isTrue();
    }

    /** Whether a command worked. */
    private static boolean ran(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
