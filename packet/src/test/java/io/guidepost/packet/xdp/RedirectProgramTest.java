package io.guidepost.packet.xdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.bpf.BpfCalls;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program, run by the kernel on frames of a test (BPF_PROG_TEST_RUN), against what {@link HeaderParser} says of them. */
class RedirectProgramTest {
    private static final int TEST_RUN = 10;
    private static final int PASS = 2;
    private static final int TAKE = 4;
    private static final int FRAMES = 6000;
    private static final int[] PORTS = {5001, 53, 5002, 0xff00};
    private static final String[] IPV4 = {"10.0.0.2", "255.255.255.255", "192.168.200.1", "10.0.0.3"};
    private static final String[] IPV6 = {"fd00::2", "fe80::ff:fe00:1", "fd00:0:0:1::2", "ff02::1"};

    @ParameterizedTest
    @ValueSource(strings = {
        "all",
        "udp:5001",
        "udp:53+65280",
        "address:10.0.0.2",
        "address:255.255.255.255+192.168.200.1+fd00::2",
        "address:fd00::2+fe80::ff:fe00:1",
        "udp:5002+address:10.0.0.3+fd00:0:0:1::2"
    })
    void itTakesWhatWasAskedForAndPassesTheRest(String asked) throws IOException {
        XdpRedirect redirect = XdpRedirect.read(asked, "test");
        try (XdpTestWire wire = XdpTestWire.open(1500, 1);
                FramePool pool = new FramePool(256, 2048, 256);
                Arena arena = Arena.ofConfined()) {
            int sockets = BpfCalls.createMap(BpfCalls.XSK_MAP, Integer.BYTES, 1, "test");
            int counters = BpfCalls.createMap(BpfCalls.PER_CPU_ARRAY, Long.BYTES, RedirectProgram.COUNTERS, "test");
            XskSocket socket = wire.inLeft(() -> new XskSocket(
                    pool,
                    NetDevice.named("left", "test").index(),
                    0,
                    XdpOptions.of(FrameSettings.of("left")),
                    true,
                    "test"));
            int program = BpfCalls.load(BpfCalls.XDP, RedirectProgram.instructions(redirect, true, sockets, counters), "test", "test");
            try {
                assertThat(BpfCalls.update(sockets, 0, socket.number())).isZero();
                long taken = check(arena, redirect, program);
                assertThat(BpfCalls.sum(counters, RedirectProgram.REDIRECTED)).isEqualTo(taken).isPositive();
                assertThat(BpfCalls.sum(counters, RedirectProgram.PASSED)).isEqualTo(FRAMES - taken);
                assertThat(taken < FRAMES).isEqualTo(!redirect.everything());
            } finally {
                socket.close();
                for (int descriptor : new int[] {program, counters, sockets}) {
                    SystemCall.call(SystemCall.errno(arena), SystemCall.CLOSE, descriptor, 0, 0);
                }
            }
        }
    }

    private static long check(Arena arena, XdpRedirect redirect, int program) throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        long at = arena.allocate(512, Long.BYTES).address();
        long taken = 0;
        for (int i = 0; i < FRAMES; i++) {
            int length = write(random, at);
            boolean expected = isWanted(redirect, at, length);
            assertThat(verdict(program, at, length)).as("frame %d of %d bytes", i, length).isEqualTo(expected ? TAKE : PASS);
            taken += expected ? 1 : 0;
        }
        return taken;
    }

    /** What the documentation says, in terms of parsed headers. */
    private static boolean isWanted(XdpRedirect redirect, long at, int length) {
        HeaderParser headers = new HeaderParser();
        headers.read(at, length);
        if (redirect.everything()) {
            return true;
        }
        if (length < 42 || headers.vlan() >= 0) {
            return false;
        }
        if (headers.etherType() == HeaderParser.ARP) {
            return redirect.ipv4().contains(Memory.i32(at + 38));
        }
        if (headers.isIpv4() && redirect.ipv4().contains((int) headers.destinationLow())) {
            return true;
        }
        if (headers.isIpv6()) {
            boolean ours = redirect.ipv6()
                    .contains(new Address(headers.destinationHigh(), headers.destinationLow()));
            boolean solicited = headers.protocol() == HeaderParser.ICMPV6
                    && headers.transportOffset() == 54
                    && Memory.u8(at + 54) == 135
                    && redirect.ipv6().contains(new Address(Memory.i64(at + 62), Memory.i64(at + 70)));
            if (ours || solicited) {
                return true;
            }
            if (headers.transportOffset() != 54) {
                return false;
            }
        }
        return headers.protocol() == HeaderParser.UDP
                && !headers.isFragment()
                && redirect.udpPorts().contains(headers.destinationPort());
    }

    /** A frame that is right, of one kind or another. */
    private static int write(SplittableRandom random, long at) throws IOException {
        for (int i = 0; i < 512; i += 8) {
            Memory.put64(at + i, random.nextLong());
        }
        return switch (random.nextInt(8)) {
            case 0 -> {
                Memory.put16(at + 12, HeaderParser.ARP);
                Memory.put32(at + 38, ipv4(random));
                yield 42 + random.nextInt(20);
            }
            case 1 -> {
                Memory.put16(at + 12, HeaderParser.VLAN);
                Memory.put16(at + 16, HeaderParser.IPV4);
                writeIpv4(random, at + 4);
                yield 200;
            }
            case 2 -> {
                Memory.put16(at + 12, 0x88b5);
                yield 14 + random.nextInt(100);
            }
            case 3, 4 -> writeIpv6(random, at);
            default -> {
                Memory.put16(at + 12, HeaderParser.IPV4);
                writeIpv4(random, at);
                yield 200;
            }
        };
    }

    private static void writeIpv4(SplittableRandom random, long at) throws IOException {
        int words = random.nextInt(5, 16);
        Memory.put8(at + 14, 0x40 | words);
        Memory.put16(at + 16, 150);
        Memory.put16(at + 20, random.nextInt(4) == 0 ? random.nextInt(0x10000) : 0x4000);
        Memory.put8(at + 23, random.nextInt(3) == 0 ? random.nextInt(256) : HeaderParser.UDP);
        Memory.put32(at + 30, ipv4(random));
        writeUdp(random, at + 14 + words * 4L);
    }

    private static int writeIpv6(SplittableRandom random, long at) throws IOException {
        Memory.put16(at + 12, HeaderParser.IPV6);
        Memory.put32(at + 14, 0x6000_0000);
        Memory.put16(at + 18, 100);
        boolean icmp = random.nextInt(3) == 0;
        Memory.put8(at + 20, icmp ? HeaderParser.ICMPV6 : random.nextInt(4) == 0 ? 60 : HeaderParser.UDP);
        ipv6(random, at + 38);
        writeUdp(random, at + 54);
        if (Memory.u8(at + 20) == 60) {
            // Destination options of 8 bytes, then UDP.
            Memory.put16(at + 54, HeaderParser.UDP << 8);
            writeUdp(random, at + 62);
        } else if (icmp) {
            Memory.put8(at + 54, random.nextBoolean() ? 135 : random.nextInt(256));
            ipv6(random, at + 62);
        }
        return 160;
    }

    private static void writeUdp(SplittableRandom random, long at) {
        Memory.put16(at + 2, random.nextBoolean() ? PORTS[random.nextInt(PORTS.length)] : random.nextInt(0x10000));
        Memory.put16(at + 4, 40);
    }

    private static int ipv4(SplittableRandom random) throws IOException {
        return random.nextBoolean()
                ? random.nextInt()
                : (int) Addresses.low(InetAddress.getByName(IPV4[random.nextInt(IPV4.length)]));
    }

    private static void ipv6(SplittableRandom random, long at) throws IOException {
        if (random.nextInt(3) > 0) {
            InetAddress address = InetAddress.getByName(IPV6[random.nextInt(IPV6.length)]);
            Memory.put64(at, Addresses.high(address));
            Memory.put64(at + 8, Addresses.low(address));
        }
    }

    private static int verdict(int program, long frame, int length) {
        try (Arena own = Arena.ofConfined()) {
            long attribute = own.allocate(128, Long.BYTES).address();
            Memory.put32Le(attribute, program);
            Memory.put32Le(attribute + 8, length);
            Memory.put64Le(attribute + 16, frame);
            Memory.put32Le(attribute + 32, 1);
            long result = SystemCall.call(SystemCall.errno(own), SystemCall.BPF, TEST_RUN, attribute, 128);
            assertThat(result).as("BPF_PROG_TEST_RUN").isZero();
            return Memory.i32Le(attribute + 4);
        }
    }
}
