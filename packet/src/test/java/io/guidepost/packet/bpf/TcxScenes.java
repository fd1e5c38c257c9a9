package io.guidepost.packet.bpf;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.Namespaces;
import io.guidepost.packet.Port;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.bpf.FlowOffload.Headers;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Tcp;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Packets that a host forwards from one TUN device to another, which has the program: they come back by the first one, if the table has
 * them, with other headers and a right checksum; else the program behind the second one has them.
 */
final class TcxScenes implements AutoCloseable {
    private static final int ETHERNET = 14;
    private static final int TRAFFIC = 0x2b;
    private static final int HOPS = 64;
    private static final int PAYLOAD = 37;
    private static final int PORTS = 40_001 << 16 | 8_080;
    private static final int OTHER_PORTS = 40_002 << 16 | 80;

    private final Port outside = FramePortOpener.open("tun:t1,address=10.1.0.1/24+fd01::1/64");
    private final Port inside = FramePortOpener.open("tun:t0,address=10.0.0.1/24+fd67::1/64");
    private final TcxOffload table = TcxOffload.open("t0", 0xfd67_0000_0000_0000L);
    private final Burst out = outside.tx(0).burst();
    private final Burst in = outside.rx(0).burst();

    private TcxScenes() throws IOException {}

    public static void main(String[] args) throws IOException, InterruptedException {
        try (TcxScenes scenes = new TcxScenes()) {
            Namespaces.shell("sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1; ip -6 route add fd05::/64 dev t0");
            for (int protocol : new int[] {HeaderParser.UDP, HeaderParser.TCP}) {
                for (int ports : new int[] {PORTS, OTHER_PORTS}) {
                    scenes.passes(protocol, headers("10.1.0.2", "10.0.0.2", PORTS, 0), headers("fd02::f1", "fd01::aaaa", ports, 0x1234));
                    scenes.passes(protocol, headers("fd01::2", "fd67::2", PORTS, 0), headers("fd02::f1", "fd01::aaaa", ports, 3));
                    scenes.passes(protocol, headers("fd01::b", "fd05::c", PORTS, 7), headers("10.0.0.9", "10.1.0.7", ports, 0));
                    scenes.passes(protocol, headers("fd01::b", "fd05::d", PORTS, 0), headers("fd67::2", "fd01::7", ports, 0));
                }
            }
            scenes.whatIsNotInTheTableGoesToTheProgram();
        }
        Namespaces.done(args[0]);
    }

    private static Headers headers(String source, String destination, int ports, int label) {
        InetAddress from = InetAddress.ofLiteral(source);
        InetAddress to = InetAddress.ofLiteral(destination);
        return new Headers(Addresses.high(from), Addresses.low(from), Addresses.high(to), Addresses.low(to), ports, label);
    }

    /** A packet as it stands on a wire. */
    private static byte[] packet(int protocol, Headers headers, int flags, int label, int hops) {
        int transport = protocol == HeaderParser.TCP ? 20 : 8;
        int bytes = transport + PAYLOAD;
        boolean ipv4 = Addresses.isIpv4(headers.sourceHigh(), headers.sourceLow());
        int ip = ipv4 ? 20 : 40;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(ip + bytes, 8);
            long at = room.address();
            long pseudo;
            if (ipv4) {
                Memory.put32(at, 0x4500_0000 | TRAFFIC << 16 | 20 + bytes);
                Memory.put32(at + 4, 0x4000);
                Memory.put32(at + 8, hops << 24 | protocol << 16);
                Memory.put32(at + 12, (int) headers.sourceLow());
                Memory.put32(at + 16, (int) headers.destinationLow());
                Memory.put16(at + 10, InternetChecksum.of(at, 20));
                pseudo = InternetChecksum.pseudoIpv4((int) headers.sourceLow(), (int) headers.destinationLow(), protocol, bytes);
            } else {
                Memory.put32(at, 0x6000_0000 | TRAFFIC << 20 | label);
                Memory.put32(at + 4, bytes << 16 | protocol << 8 | hops);
                Memory.put64(at + 8, headers.sourceHigh());
                Memory.put64(at + 16, headers.sourceLow());
                Memory.put64(at + 24, headers.destinationHigh());
                Memory.put64(at + 32, headers.destinationLow());
                pseudo = InternetChecksum.pseudoIpv6(
                        headers.sourceHigh(), headers.sourceLow(), headers.destinationHigh(), headers.destinationLow(), protocol, bytes);
            }
            long tcp = at + ip;
            Memory.put32(tcp, headers.ports());
            if (protocol == HeaderParser.TCP) {
                Memory.put32(tcp + 4, 0xffff_fff0);
                Memory.put32(tcp + 8, 2_000);
                Memory.put32(tcp + 12, 0x5000_0000 | flags << 16 | 500);
            } else {
                Memory.put16(tcp + 4, bytes);
            }
            for (int i = 0; i < PAYLOAD; i++) {
                Memory.put8(tcp + transport + i, i * 7);
            }
            Memory.put16(tcp + field(protocol), InternetChecksum.fold(InternetChecksum.add(pseudo, tcp, bytes)));
            return Memory.read(at, ip + bytes);
        }
    }

    private static int field(int protocol) {
        return protocol == HeaderParser.TCP ? 16 : 6;
    }

    /** Sends a packet; its checksum is left to the device, or not. */
    private void send(byte[] packet, int protocol, boolean partial) {
        long room = out.room();
        boolean ipv4 = packet[0] >>> 4 == 4;
        Memory.put64(room, 0);
        Memory.put32(room + 8, 0);
        Memory.put16(room + 12, ipv4 ? 0x0800 : 0x86dd);
        Memory.copy(packet, 0, room + ETHERNET, packet.length);
        out.append(ETHERNET + packet.length);
        if (partial) {
            HeaderParser headers = new HeaderParser();
            headers.read(out, out.count() - 1);
            assertThat(InternetChecksum.leave(out, out.count() - 1, headers)).isTrue();
            assertThat(TransportChecksum.isPartial(out.checksum(out.count() - 1))).as("protocol %d", protocol).isTrue();
        }
        assertThat(outside.tx(0).send(out)).isZero();
    }

    private static byte[] receive(Port port, Burst burst) {
        List<byte[]> received = new ArrayList<>();
        Eventually.await("a packet", () -> {
            int count = port.rx(0).receive(burst);
            for (int i = 0; i < count; i++) {
                InternetChecksum.complete(burst, i);
                byte[] packet = Memory.read(burst.offset(i) + ETHERNET, burst.length(i) - ETHERNET);
                // The kernel speaks to all of its kind, too.
                if (packet[0] >>> 4 == 4 || packet[24] != -1) {
                    received.add(packet);
                }
            }
            return !received.isEmpty();
        });
        return received.getFirst();
    }

    private void passes(int protocol, Headers before, Headers after) {
        int row = table.add(protocol, before, after, 0xffff_ff00, 1_999);
        byte[] sent = packet(protocol, before, Tcp.ACK, before.label() == 0 ? 0 : before.label(), HOPS);
        byte[] expected = packet(protocol, after, Tcp.ACK, after.label(), HOPS - 2);
        for (boolean partial : new boolean[] {false, true}) {
            send(sent, protocol, partial);
            assertThat(receive(outside, in)).as("%s to %s, partial %s", before, after, partial).isEqualTo(expected);
        }
        assertThat(table.packets(row)).isEqualTo(2);
        assertThat(table.bytes(row)).isEqualTo(2L * sent.length);
        if (protocol == HeaderParser.TCP) {
            assertThat(table.next(row)).isEqualTo(0xffff_fff0 + PAYLOAD);
            assertThat(table.acknowledgment(row)).isEqualTo(2_000);
        }
        table.remove(row);
    }

    private void whatIsNotInTheTableGoesToTheProgram() {
        Burst burst = inside.rx(0).burst();
        Headers before = headers("fd01::b", "fd05::c", PORTS, 7);
        int row = table.add(HeaderParser.TCP, before, headers("fd67::2", "fd01::7", PORTS, 0), 0, 0);
        for (int flag : new int[] {Tcp.SYN, Tcp.FIN, Tcp.RST}) {
            goesOn(packet(HeaderParser.TCP, before, flag | Tcp.ACK, 7, HOPS), burst);
        }
        goesOn(packet(HeaderParser.TCP, before, Tcp.ACK, 8, HOPS), burst);
        goesOn(packet(HeaderParser.UDP, before, 0, 7, HOPS), burst);
        goesOn(packet(HeaderParser.TCP, headers("fd01::b", "fd05::c", OTHER_PORTS, 7), Tcp.ACK, 7, HOPS), burst);
        goesOn(packet(HeaderParser.TCP, headers("fd01::a", "fd05::c", PORTS, 7), Tcp.ACK, 7, HOPS), burst);
        goesOn(packet(HeaderParser.TCP, headers("fd01::b", "fd05::d", PORTS, 7), Tcp.ACK, 7, HOPS), burst);
        assertThat(table.packets(row)).isZero();
        table.remove(row);
        goesOn(packet(HeaderParser.TCP, before, Tcp.ACK, 7, HOPS), burst);
    }

    private void goesOn(byte[] packet, Burst burst) {
        send(packet, HeaderParser.TCP, false);
        byte[] got = receive(inside, burst);
        packet[7]--;
        assertThat(got).isEqualTo(packet);
    }

    @Override
    public void close() {
        table.close();
        inside.close();
        outside.close();
    }
}
