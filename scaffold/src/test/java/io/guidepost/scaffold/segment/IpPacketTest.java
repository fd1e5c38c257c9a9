package io.guidepost.scaffold.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Tcp;
import java.lang.foreign.Arena;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Packets of a flow whose ends have different addresses, or different versions of IP. */
class IpPacketTest {
    private static final int ROOM_BYTES = 2_048;
    private static final FlowTuple IPV4 = new FlowTuple(
            0, Addresses.ipv4Low(0x6440_0001), 0, Addresses.ipv4Low(0x6440_0105), 8080 << 16 | 40_000, HeaderParser.TCP);
    private static final FlowTuple IPV6 =
            new FlowTuple(0xfd67_7569_6465_0000L, 0x6440_0001, 0xfd67_7569_6465_0000L, 0x6440_0207, 8080 << 16 | 40_001, HeaderParser.TCP);

    private final long room = Arena.global().allocate(ROOM_BYTES, 8).address();
    private final IpPacket packet = new IpPacket();

    /** Puts a packet where there is room for a longer header before it. */
    private void read(byte[] bytes) {
        long at = room + IpPacket.IPV6_BYTES;
        Memory.copy(bytes, 0, at, bytes.length);
        assertThat(packet.read(at, bytes.length)).isTrue();
    }

    private static FlowTuple of(FlowTuple tuple, int protocol) {
        return new FlowTuple(tuple.ownHigh(), tuple.ownLow(), tuple.peerHigh(), tuple.peerLow(), tuple.ports(), protocol);
    }

    /** What the kernel would look at: both checksums, and lengths. */
    private void isRight(FlowTuple tuple) {
        int length = packet.length();
        byte[] frame = new byte[14 + length];
        System.arraycopy(packet.bytes(), 0, frame, 14, length);
        frame[12] = (byte) (tuple.isIpv4() ? 0x08 : 0x86);
        frame[13] = (byte) (tuple.isIpv4() ? 0x00 : 0xdd);
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(frame.length, 8).address();
            Memory.copy(frame, 0, at, frame.length);
            HeaderParser parser = new HeaderParser();
            assertThat(parser.read(at, frame.length)).isTrue();
            assertThat(InternetChecksum.check(parser)).isEqualTo(InternetChecksum.State.RIGHT);
            if (tuple.isIpv4()) {
                assertThat(InternetChecksum.of(at + 14, IpPacket.IPV4_BYTES)).isZero();
            }
            assertThat(new IpPacket().read(at + 14, length)).isTrue();
        }
        assertThat(packet.tuple()).isEqualTo(tuple.turned());
    }

    /** A SYN of Linux over IPv6 for a program that listens by IPv4, and back. */
    @Test
    void aSegmentGetsTheVersionOfItsReceiver() {
        read(HexFormat.of().parseHex("6b7cafe500140640" + "fd677569646500000000000064400001" + "fd677569646500000000000064400207"
                + "9c411f90" + "00000001" + "00000002" + "5010ffff" + "00000000"));
        packet.fillChecksum();
        assertThat(packet.readdress(IPV4)).isTrue();
        assertThat(HexFormat.of().formatHex(packet.bytes()))
                .startsWith("45b7002800004000" + "4006" + "7093" + "64400105" + "64400001"
                        + "9c401f90" + "00000001" + "00000002" + "5010ffff");
        isRight(IPV4);
        assertThat(packet.readdress(IPV6)).isTrue();
        assertThat(HexFormat.of().formatHex(packet.bytes()))
                .startsWith("6b70000000140640" + "fd677569646500000000000064400207" + "fd677569646500000000000064400001" + "9c411f90");
        isRight(IPV6);
    }

    @Test
    void checksumsStayRightForAnyBytes() {
        SplittableRandom random = new SplittableRandom(22);
        SegmentWriter segments = new SegmentWriter();
        for (int i = 0; i < 20_000; i++) {
            byte[] data = new byte[random.nextInt(200)];
            random.nextBytes(data);
            SegmentWriter.Numbers numbers = new SegmentWriter.Numbers(
                    random.nextInt(), random.nextInt(), Tcp.ACK, random.nextInt(1 << 16), random.nextBoolean(), random.nextInt(), 7);
            FlowTuple from = random.nextBoolean() ? IPV4 : IPV6;
            FlowTuple to = random.nextBoolean() ? IPV4 : IPV6;
            read(segments.write(from, random.nextBoolean(), numbers, data, 0, data.length).bytes());
            assertThat(packet.readdress(to)).isTrue();
            isRight(to);
        }
    }

    /** IPv4 may send datagrams without a checksum, and IPv6 may not (RFC 8200 section 8.1). */
    @Test
    void aDatagramWithoutChecksumGetsOneForIpv6() {
        FlowTuple four = of(IPV4, HeaderParser.UDP);
        read(HexFormat.of().parseHex("4500001f00000000401100000a0000010a000002" + "00050006000b0000" + "616263"));
        assertThat(packet.readdress(four)).isTrue();
        assertThat(Memory.u16(packet.transport() + 6)).isZero();
        FlowTuple six = of(IPV6, HeaderParser.UDP);
        assertThat(packet.readdress(six)).isTrue();
        isRight(six);
        assertThat(packet.readdress(IPV6)).as("another protocol").isFalse();
    }

    private @Nullable FlowTuple unreachable(String message) {
        byte[] bytes = HexFormat.of().parseHex(message);
        Memory.copy(bytes, 0, room, bytes.length);
        return packet.readUnreachable(room, bytes.length);
    }

    @Test
    void anUnreachablePortIsThatOfTheQuotedDatagram() {
        String four = "45c0003800000000400100006440000164400105" + "0303000000000000" + "4500001c00000000401100006440010564400001"
                + "9c401f9000080000";
        String six = "6000000000383a40" + "fd677569646500000000000064400001" + "fd677569646500000000000064400207" + "0104000000000000"
                + "6000000000081140" + "fd677569646500000000000064400207" + "fd677569646500000000000064400001" + "9c411f9000080000";
        assertThat(unreachable(four)).isEqualTo(of(IPV4, HeaderParser.UDP));
        assertThat(unreachable(six)).isEqualTo(of(IPV6, HeaderParser.UDP));
        for (String each : List.of(four, six)) {
            int icmp = each.startsWith("4") ? 40 : 80;
            assertThat(unreachable(each.substring(0, icmp + 2) + "01" + each.substring(icmp + 4))).as("another code").isNull();
            for (int length = 0; length < each.length(); length += 2) {
                assertThat(unreachable(each.substring(0, length))).as("cut").isNull();
            }
        }
        assertThat(unreachable(four.replace("4500001c", "6000001c"))).as("the quote is of another version").isNull();
    }
}
