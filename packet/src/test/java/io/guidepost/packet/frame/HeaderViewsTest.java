package io.guidepost.packet.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FramePool;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each view against bytes that were written down by hand: read from them, and written to be them. */
class HeaderViewsTest {
    private static final int A = 0x0a00_0001;
    private static final int B = 0x0a00_0002;
    private static final long LINK = 0xfe80_0000_0000_0000L;

    private static String joined(String hex) {
        return hex.replace(" ", "");
    }

    @Test
    void ethernet() {
        Bytes bytes = Bytes.of("020000000001 020000000002 88a8 6064 8100 0065 0800 ff");
        Ethernet ethernet = new Ethernet();
        assertThat(ethernet.read(bytes.address, bytes.length())).isTrue();
        assertThat(ethernet.destination()).isEqualTo(0x02_00_00_00_00_01L);
        assertThat(ethernet.source()).isEqualTo(0x02_00_00_00_00_02L);
        assertThat(ethernet.tags()).isEqualTo(2);
        assertThat(ethernet.tag(0)).isEqualTo(0x6064);
        assertThat(ethernet.vlan(0)).isEqualTo(100);
        assertThat(ethernet.vlan(1)).isEqualTo(101);
        assertThat(ethernet.etherType()).isEqualTo(HeaderParser.IPV4);
        assertThat(ethernet.bytes()).isEqualTo(22);
        ethernet.turn(0x02_00_00_00_00_03L);
        assertThat(bytes.hex()).startsWith("020000000002020000000003");
        Bytes room = Bytes.room(14);
        ethernet.wrap(room.address, 14).write(Ethernet.BROADCAST, 0x02_00_00_00_00_02L, HeaderParser.ARP);
        assertThat(room.hex()).isEqualTo("ffffffffffff0200000000020806");
        assertThat(Ethernet.isGroup(ethernet.destination())).isTrue();
        assertThat(Ethernet.isGroup(ethernet.source())).isFalse();
    }

    @Test
    void ethernetThatIsTooShortOrHasTooManyTags() {
        Ethernet ethernet = new Ethernet();
        Bytes bytes = Bytes.of("020000000001 020000000002 8100 0064 8100 0064 8100 0064 0800");
        assertThat(ethernet.read(bytes.address, 13)).isFalse();
        assertThat(ethernet.read(bytes.address, 17)).isFalse();
        assertThat(ethernet.read(bytes.address, bytes.length())).isFalse();
    }

    @Test
    void tagsArePushedAndPopped() {
        try (FramePool pool = new FramePool(64, 2048, 8)) {
            Burst burst = Burst.ofFrames(pool.view("test"), 4, 0);
            byte[] frame = HexFormat.of().parseHex(joined(Bytes.UDP4));
            Memory.copy(frame, 0, burst.room(), frame.length);
            burst.append(frame.length);
            Ethernet.push(burst, 0, HeaderParser.VLAN, 100);
            Ethernet.push(burst, 0, HeaderParser.SERVICE_VLAN, 0x2065);
            assertThat(burst.length(0)).isEqualTo(frame.length + 8);
            assertThat(Bytes.hex(burst.offset(0), 22)).isEqualTo("02000000000102000000000288a8206581000064" + "0800");
            HeaderParser headers = new HeaderParser();
            assertThat(headers.read(burst, 0)).isTrue();
            assertThat(headers.vlan()).isEqualTo(100);
            assertThat(headers.destinationPort()).isEqualTo(5000);
            assertThatThrownBy(() -> Ethernet.push(burst, 0, HeaderParser.VLAN, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThat(Ethernet.pop(burst, 0)).isEqualTo(0x2065);
            assertThat(Ethernet.pop(burst, 0)).isEqualTo(100);
            assertThat(Ethernet.pop(burst, 0)).isEqualTo(-1);
            assertThat(Bytes.hex(burst.offset(0), burst.length(0))).isEqualTo(joined(Bytes.UDP4));
        }
    }

    @Test
    void arp() {
        Bytes bytes = Bytes.of("0001 0800 06 04 0001 020000000001 0a000001 000000000000 0a000002");
        Arp arp = new Arp();
        assertThat(arp.read(bytes.address, 28)).isTrue();
        assertThat(arp.operation()).isEqualTo(Arp.REQUEST);
        assertThat(arp.senderMac()).isEqualTo(0x02_00_00_00_00_01L);
        assertThat(arp.sender()).isEqualTo(A);
        assertThat(arp.targetMac()).isZero();
        assertThat(arp.target()).isEqualTo(B);
        arp.reply(0x02_00_00_00_00_02L);
        assertThat(bytes.hex()).isEqualTo(joined("0001 0800 06 04 0002 020000000002 0a000002 020000000001 0a000001"));
        assertThat(arp.read(bytes.address, 27)).isFalse();
        Memory.put8(bytes.address + 4, 8);
        assertThat(arp.read(bytes.address, 28)).isFalse();
    }

    @Test
    void ipv4() {
        Bytes room = Bytes.room(30);
        Ipv4 ipv4 = new Ipv4().wrap(room.address, 30).write(HeaderParser.UDP, A, B, 10);
        assertThat(room.hex()).startsWith(joined("4500001e 00004000 401126cd 0a000001 0a000002"));
        assertThat(ipv4.read(room.address, 30)).isTrue();
        assertThat(ipv4.bytes()).isEqualTo(20);
        assertThat(ipv4.payloadBytes()).isEqualTo(10);
        assertThat(ipv4.flags()).isEqualTo(Ipv4.DONT_FRAGMENT);
        assertThat(ipv4.ttl()).isEqualTo(64);
        assertThat(ipv4.protocol()).isEqualTo(HeaderParser.UDP);
        assertThat(ipv4.source()).isEqualTo(A);
        assertThat(ipv4.destination()).isEqualTo(B);
        assertThat(ipv4.isChecksumRight()).isTrue();
        assertThat(ipv4.hop()).isTrue();
        assertThat(ipv4.ttl()).isEqualTo(63);
        assertThat(ipv4.isChecksumRight()).isTrue();
        ipv4.source(0xc633_6401).destination(0xffff_ffff);
        assertThat(ipv4.isChecksumRight()).isTrue();
        assertThat(ipv4.turn().source()).isEqualTo(0xffff_ffff);
        assertThat(ipv4.isChecksumRight()).isTrue();
        ipv4.fragment(Ipv4.MORE_FRAGMENTS, 1480).identification(7).ttl(1).fillChecksum();
        assertThat(Memory.u16(room.address + 6)).isEqualTo(0x20b9);
        assertThat(ipv4.fragmentOffset()).isEqualTo(1480);
        assertThat(ipv4.hop()).isFalse();
        assertThat(ipv4.isChecksumRight()).isTrue();
    }

    @Test
    void ipv4WithOptions() {
        Bytes bytes = Bytes.of("46000028 00000000 4011d1be 0a000001 0a000002 94040000" + "00".repeat(16));
        Ipv4 ipv4 = new Ipv4();
        assertThat(ipv4.read(bytes.address, 40)).isTrue();
        assertThat(ipv4.isChecksumRight()).isTrue();
        assertThat(ipv4.payloadAddress()).isEqualTo(bytes.address + 24);
        HeaderOptions options = new HeaderOptions().of(ipv4);
        assertThat(kinds(options)).containsExactly(0x94);
        assertThat(options.isMalformed()).isFalse();
        assertThat(ipv4.read(bytes.address, 39)).isFalse();
    }

    @Test
    void ipv6WithExtensions() {
        // Hop-by-hop with router alert and padding, destination options, fragment 0 with more to come, UDP.
        Bytes bytes = Bytes.of("6ab12345 0020 00 40 fe800000000000000000000000000001 fe800000000000000000000000000002"
                + "3c00 05020000 0100   2c00 010400000000   1100 0001 0000002a   1389 1388 0008 0000");
        Ipv6 ipv6 = new Ipv6();
        assertThat(ipv6.read(bytes.address, bytes.length())).isTrue();
        assertThat(ipv6.trafficClass()).isEqualTo(0xab);
        assertThat(ipv6.flowLabel()).isEqualTo(0x12345);
        assertThat(ipv6.payloadBytes()).isEqualTo(32);
        assertThat(ipv6.hopLimit()).isEqualTo(64);
        assertThat(ipv6.sourceHigh()).isEqualTo(LINK);
        assertThat(ipv6.destinationLow()).isEqualTo(2);
        Ipv6Extensions extensions = new Ipv6Extensions().of(ipv6);
        HeaderOptions options = new HeaderOptions();
        assertThat(extensions.next()).isTrue();
        assertThat(extensions.type()).isEqualTo(Ipv6Extensions.HOP_BY_HOP);
        assertThat(kinds(extensions.options(options))).containsExactly(5);
        assertThat(extensions.next()).isTrue();
        assertThat(extensions.type()).isEqualTo(Ipv6Extensions.DESTINATION);
        assertThat(kinds(extensions.options(options))).isEmpty();
        assertThat(options.isMalformed()).isFalse();
        assertThat(extensions.next()).isTrue();
        assertThat(extensions.type()).isEqualTo(Ipv6Extensions.FRAGMENT);
        assertThat(extensions.moreFragments()).isTrue();
        assertThat(extensions.fragmentOffset()).isZero();
        assertThat(extensions.identification()).isEqualTo(42);
        assertThat(extensions.next()).isFalse();
        assertThat(extensions.isMalformed()).isFalse();
        assertThat(extensions.protocol()).isEqualTo(HeaderParser.UDP);
        assertThat(extensions.address()).isEqualTo(bytes.address + 64);
    }

    @Test
    void ipv6IsWritten() {
        Bytes room = Bytes.room(48);
        Ipv6 ipv6 = new Ipv6().wrap(room.address, 48).write(HeaderParser.UDP, LINK, 1, LINK, 2, 8);
        assertThat(room.hex())
                .startsWith(joined("60000000 0008 11 40 fe800000000000000000000000000001 fe800000000000000000000000000002"));
        assertThat(ipv6.read(room.address, 48)).isTrue();
        assertThat(ipv6.read(room.address, 47)).isFalse();
        assertThat(ipv6.turn().sourceLow()).isEqualTo(2);
        ipv6.flow(1, 2).hopLimit(2);
        assertThat(ipv6.hop()).isTrue();
        assertThat(ipv6.hop()).isFalse();
        assertThat(ipv6.hopLimit()).isEqualTo(1);
        assertThat(room.hex()).startsWith("60100002");
    }

    @Test
    void udp() {
        Bytes bytes = Bytes.of("1389 1388 000a 0000 6869");
        Udp udp = new Udp();
        assertThat(udp.read(bytes.address, 10)).isTrue();
        assertThat(udp.read(bytes.address, 9)).isFalse();
        udp.fillChecksum(InternetChecksum.pseudoIpv4(A, B, HeaderParser.UDP, 10));
        assertThat(udp.checksum()).isEqualTo(0x5c5d);
        udp.turn();
        assertThat(bytes.hex()).isEqualTo(joined("1388 1389 000a 5c5d 6869"));
        udp.write(0xffff, 53, 2);
        assertThat(bytes.hex()).isEqualTo(joined("ffff 0035 000a 0000 6869"));
    }

    @Test
    void tcp() {
        Bytes bytes = Bytes.of("c000 0050 00000001 00000000 a002faf0 78ba0000 020405b4 0402 080a0000000100000000 01 030307");
        Tcp tcp = new Tcp();
        assertThat(tcp.read(bytes.address, 40)).isTrue();
        assertThat(tcp.sourcePort()).isEqualTo(49152);
        assertThat(tcp.destinationPort()).isEqualTo(80);
        assertThat(tcp.sequence()).isEqualTo(1);
        assertThat(tcp.has(Tcp.SYN)).isTrue();
        assertThat(tcp.has(Tcp.SYN | Tcp.ACK)).isFalse();
        assertThat(tcp.window()).isEqualTo(64240);
        assertThat(tcp.bytes()).isEqualTo(40);
        HeaderOptions options = new HeaderOptions().of(tcp);
        assertThat(options.next()).isTrue();
        assertThat(Memory.u16(options.dataAddress())).isEqualTo(1460);
        assertThat(kinds(options)).containsExactly(4, 8, 3);
        assertThat(tcp.read(bytes.address, 39)).isFalse();
        assertThat(tcp.fillChecksum(InternetChecksum.pseudoIpv4(A, B, HeaderParser.TCP, 40), 40).checksum()).isEqualTo(0x78ba);
        Bytes room = Bytes.room(20);
        tcp.wrap(room.address, 20).write(80, 49152, 7, 2, Tcp.RST | Tcp.ACK, 0);
        assertThat(room.hex()).isEqualTo(joined("0050 c000 00000007 00000002 50140000 00000000"));
    }

    @Test
    void icmp() {
        Bytes bytes = Bytes.of("0800 2104 1234 0001 61626364");
        Icmp icmp = new Icmp();
        assertThat(icmp.read(bytes.address, 12)).isTrue();
        assertThat(icmp.isChecksumRight(12)).isTrue();
        assertThat(icmp.identifier()).isEqualTo(0x1234);
        assertThat(icmp.sequence()).isEqualTo(1);
        assertThat(Icmp.isError(icmp.type())).isFalse();
        icmp.reply();
        assertThat(bytes.hex()).isEqualTo(joined("0000 2904 1234 0001 61626364"));
        icmp.write(Icmp.UNREACHABLE, Icmp.FRAGMENTATION_NEEDED, 1280).fillChecksum(12);
        assertThat(icmp.mtu()).isEqualTo(1280);
        assertThat(Icmp.isError(icmp.type())).isTrue();
        assertThat(icmp.isChecksumRight(12)).isTrue();
        assertThat(icmp.read(bytes.address, 7)).isFalse();
    }

    @Test
    void neighbourDiscovery() {
        String solicitation = joined("8700 7a97 00000000 fe800000000000000000000000000002 0101 020000000001");
        Bytes room = Bytes.room(32);
        Icmpv6 icmp = new Icmpv6().wrap(room.address, 32);
        int bytes = icmp.writeNeighbour(
                Icmpv6.NEIGHBOUR_SOLICITATION, 0, LINK, 2, Icmpv6.SOURCE_LINK, 0x02_00_00_00_00_01L);
        long pseudo = InternetChecksum.pseudoIpv6(LINK, 1, 0xff02L << 48, 0x1_ff00_0002L, HeaderParser.ICMPV6, bytes);
        icmp.fillChecksum(pseudo, bytes);
        assertThat(room.hex()).isEqualTo(solicitation);
        assertThat(icmp.read(room.address, 32)).isTrue();
        assertThat(icmp.isChecksumRight(pseudo, 32)).isTrue();
        assertThat(icmp.targetLow()).isEqualTo(2);
        HeaderOptions options = new HeaderOptions().of(icmp, 32);
        assertThat(options.next()).isTrue();
        assertThat(options.kind()).isEqualTo(Icmpv6.SOURCE_LINK);
        assertThat(options.dataBytes()).isEqualTo(6);
        assertThat(options.next()).isFalse();
        assertThat(icmp.read(room.address, 23)).isFalse();
        icmp.wrap(room.address, 32).writeNeighbour(Icmpv6.NEIGHBOUR_ADVERTISEMENT, Icmpv6.SOLICITED | Icmpv6.OVERRIDE,
                LINK, 2, Icmpv6.TARGET_LINK, 0x02_00_00_00_00_02L);
        icmp.fillChecksum(InternetChecksum.pseudoIpv6(LINK, 2, LINK, 1, HeaderParser.ICMPV6, bytes), bytes);
        assertThat(room.hex()).isEqualTo(joined("8800 181a 60000000 fe800000000000000000000000000002 0201 020000000002"));
    }

    @Test
    void echoOfIcmpv6() {
        Bytes bytes = Bytes.of("8000 abb8 1234 0001 61626364");
        Icmpv6 icmp = new Icmpv6();
        assertThat(icmp.read(bytes.address, 12)).isTrue();
        assertThat(icmp.isChecksumRight(InternetChecksum.pseudoIpv6(LINK, 1, LINK, 2, HeaderParser.ICMPV6, 12), 12)).isTrue();
        icmp.reply();
        assertThat(bytes.hex()).isEqualTo(joined("8100 aab8 1234 0001 61626364"));
    }

    @Test
    void optionsWhoseLengthsCannotBe() {
        HeaderOptions options = new HeaderOptions();
        for (String each : List.of("02", "0201", "0200", "020500ff")) {
            Bytes bytes = Bytes.of(each);
            assertThat(options.wrap(bytes.address, bytes.length(), HeaderOptions.Form.IPV4_TCP).next()).as(each).isFalse();
            assertThat(options.isMalformed()).as(each).isTrue();
        }
        Bytes zero = Bytes.of("0100ffffffffffff");
        assertThat(options.wrap(zero.address, 8, HeaderOptions.Form.NEIGHBOUR).next()).isFalse();
        assertThat(options.isMalformed()).isTrue();
        Bytes end = Bytes.of("0100ff");
        assertThat(options.wrap(end.address, 3, HeaderOptions.Form.IPV4_TCP).next()).isFalse();
        assertThat(options.isMalformed()).isFalse();
    }

    @Test
    void aRoomThatIsTooShortIsRefused() {
        Bytes room = Bytes.room(40);
        assertThatThrownBy(() -> new Ipv6().wrap(room.address, 39))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a room of 39 bytes; the header needs 40");
    }

    private static List<Integer> kinds(HeaderOptions options) {
        List<Integer> kinds = new ArrayList<>();
        while (options.next()) {
            kinds.add(options.kind());
        }
        return kinds;
    }
}
