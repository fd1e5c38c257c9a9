package io.guidepost.packet.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Right frames, broken ones and noise, placed so that nothing is behind them: whoever reads outside gets an error. What
 * {@link HeaderParser} says of each, in its one pass, is compared with what the views of single headers say, one by one.
 */
class FrameFuzzTest {
    private final Fence fence = new Fence(4_096);
    private final HeaderParser headers = new HeaderParser();
    private final Ethernet ethernet = new Ethernet();
    private final Ipv4 ipv4 = new Ipv4();
    private final Ipv6 ipv6 = new Ipv6();
    private final Ipv6Extensions extensions = new Ipv6Extensions();
    private final Udp udp = new Udp();
    private final Tcp tcp = new Tcp();
    private final Icmp icmp = new Icmp();
    private final Icmpv6 icmpv6 = new Icmpv6();
    private final Arp arp = new Arp();
    private final HeaderOptions options = new HeaderOptions();
    private int right;
    private int wrong;

    @Test
    void twoHundredThousandFrames() {
        frames(4, 200_000);
    }

    @Test
    @Tag("long")
    void tenMillionFrames() {
        frames(System.nanoTime(), 10_000_000);
    }

    private void frames(long seed, int number) {
        FrameMaker maker = new FrameMaker(seed);
        for (int i = 0; i < number; i++) {
            byte[] frame = maker.make();
            int kind = i % 8;
            if (kind == 7) {
                frame = maker.noise();
            } else if (kind > 0) {
                frame = maker.mutate(frame);
            }
            try {
                check(frame, kind == 0);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed + ", frame " + i + ": "
                        + HexFormat.of().formatHex(frame), e);
            }
        }
        assertThat(right).isGreaterThan(number / 4);
        assertThat(wrong).isGreaterThan(number / 8);
    }

    void check(byte[] frame, boolean mustBeRight) {
        check(fence.place(frame, frame.length), frame.length, mustBeRight);
    }

    private void check(long at, int length, boolean mustBeRight) {
        boolean fine = headers.read(at, length);
        if (fine) {
            right++;
        } else {
            wrong++;
        }
        same(fine, headers.fault() == HeaderParser.Fault.NONE, "fault");
        same(fine, walk(at, length), "verdict of the views");
        headers.flowHash();
        InternetChecksum.State state = InternetChecksum.check(headers);
        if (mustBeRight) {
            same(fine, true, "a right frame");
            same(state == InternetChecksum.State.RIGHT || state == InternetChecksum.State.UNKNOWN, true, "a right checksum");
        }
        if (InternetChecksum.fill(headers)) {
            same(InternetChecksum.check(headers), InternetChecksum.State.RIGHT, "a checksum that was filled in");
        }
        // Views are pointed at anything, as at what an ICMP error quotes.
        for (int offset = 0; offset < Math.min(length, 64); offset += 7) {
            anything(at + offset, length - offset);
        }
    }

    private boolean walk(long at, int length) {
        if (!ethernet.read(at, length)) {
            return false;
        }
        same(headers.etherType(), ethernet.etherType(), "EtherType");
        same(headers.vlan(), ethernet.tags() == 0 ? -1 : ethernet.vlan(ethernet.tags() - 1), "VLAN");
        same(headers.networkOffset(), ethernet.bytes(), "network offset");
        int left = length - ethernet.bytes();
        return switch (ethernet.etherType()) {
            case HeaderParser.IPV4 -> walkIpv4(at, ethernet.payloadAddress(), left);
            case HeaderParser.IPV6 -> walkIpv6(at, ethernet.payloadAddress(), left);
            default -> true;
        };
    }

    private boolean walkIpv4(long frame, long at, int left) {
        same(headers.isIpv4(), ipv4.read(at, left), "IPv4");
        if (!headers.isIpv4()) {
            return false;
        }
        same(headers.sourceLow(), Addresses.ipv4Low(ipv4.source()), "source");
        same(headers.destinationLow(), Addresses.ipv4Low(ipv4.destination()), "destination");
        same(headers.sourceHigh() | headers.destinationHigh(), 0L, "upper halves");
        same(headers.networkEnd(), (int) (at - frame) + ipv4.totalBytes(), "end");
        same(headers.protocol(), ipv4.protocol(), "protocol");
        boolean more = (ipv4.flags() & Ipv4.MORE_FRAGMENTS) != 0;
        same(headers.isFragment(), more || ipv4.fragmentOffset() > 0, "fragment");
        same(headers.isFirstFragment(), ipv4.fragmentOffset() == 0, "first fragment");
        return walkTransport(frame, ipv4.payloadAddress(), ipv4.payloadBytes());
    }

    private boolean walkIpv6(long frame, long at, int left) {
        same(headers.isIpv6(), ipv6.read(at, left), "IPv6");
        if (!headers.isIpv6()) {
            return false;
        }
        same(headers.sourceHigh(), ipv6.sourceHigh(), "source");
        same(headers.sourceLow(), ipv6.sourceLow(), "source");
        same(headers.destinationHigh(), ipv6.destinationHigh(), "destination");
        same(headers.destinationLow(), ipv6.destinationLow(), "destination");
        same(headers.networkEnd(), (int) (at - frame) + Ipv6.BYTES + ipv6.payloadBytes(), "end");
        extensions.of(ipv6);
        boolean fragment = false;
        boolean first = true;
        while (extensions.next()) {
            if (extensions.type() == Ipv6Extensions.FRAGMENT) {
                fragment = extensions.moreFragments() || extensions.fragmentOffset() > 0;
                first = extensions.fragmentOffset() == 0;
            }
        }
        if (extensions.isMalformed()) {
            same(headers.fault(), HeaderParser.Fault.BAD_EXTENSION, "fault");
            return false;
        }
        same(headers.protocol(), extensions.protocol(), "protocol");
        same(headers.isFragment(), fragment, "fragment");
        same(headers.isFirstFragment(), first, "first fragment");
        long end = at + Ipv6.BYTES + ipv6.payloadBytes();
        return walkTransport(frame, extensions.address(), (int) (end - extensions.address()));
    }

    private boolean walkTransport(long frame, long at, int left) {
        int offset = (int) (at - frame);
        if (!headers.isFirstFragment()) {
            same(headers.transportOffset(), -1, "transport of a later fragment");
            same(headers.payloadOffset(), offset, "payload of a later fragment");
            return true;
        }
        HeaderView<?> header = switch (headers.protocol()) {
            case HeaderParser.UDP -> udp;
            case HeaderParser.TCP -> tcp;
            case HeaderParser.ICMP, HeaderParser.ICMPV6 -> icmp;
            default -> null;
        };
        if (header == null) {
            same(headers.payloadOffset(), offset, "payload");
            return true;
        }
        // The length of the datagram may go beyond its first fragment.
        int room = header == udp && headers.isFragment() && left >= Udp.BYTES ? 65_535 : left;
        if (!header.read(at, room)) {
            same(headers.fault(), HeaderParser.Fault.BAD_TRANSPORT, "fault");
            return false;
        }
        same(headers.transportOffset(), offset, "transport");
        same(headers.payloadOffset(), offset + header.bytes(), "payload");
        if (header == udp) {
            same(headers.ports(), udp.sourcePort() << 16 | udp.destinationPort(), "ports");
        } else if (header == tcp) {
            same(headers.ports(), tcp.sourcePort() << 16 | tcp.destinationPort(), "ports");
            walk(options.of(tcp));
        } else {
            same(headers.ports(), 0, "ports");
        }
        return true;
    }

    private void anything(long at, int left) {
        if (ipv4.read(at, left)) {
            walk(options.of(ipv4));
        }
        if (ipv6.read(at, left)) {
            extensions.of(ipv6);
            while (extensions.next()) {
                int type = extensions.type();
                if (type == Ipv6Extensions.HOP_BY_HOP || type == Ipv6Extensions.DESTINATION) {
                    walk(extensions.options(options));
                }
            }
        }
        if (tcp.read(at, left)) {
            walk(options.of(tcp));
        }
        if (icmpv6.read(at, left) && icmpv6.type() >= Icmpv6.ROUTER_SOLICITATION && icmpv6.type() <= Icmpv6.REDIRECT) {
            walk(options.of(icmpv6, left));
        }
        if (arp.read(at, left)) {
            same(arp.bytes(), Arp.BYTES, "bytes of ARP");
            Memory.i32(arp.payloadAddress() - 4);
        }
    }

    private void walk(HeaderOptions cursor) {
        long last = 0;
        while (cursor.next()) {
            same(cursor.dataAddress() > last, true, "options go on");
            last = cursor.dataAddress();
            if (cursor.dataBytes() > 0) {
                Memory.u8(cursor.dataAddress() + cursor.dataBytes() - 1);
            }
        }
    }

    // Plain comparisons, as the millions of them would be slow with a library's.
    private static void same(int is, int must, String what) {
        if (is != must) {
            throw new AssertionError(what + " is " + is + "; it must be " + must);
        }
    }

    private static void same(long is, long must, String what) {
        if (is != must) {
            throw new AssertionError(what + " is " + is + "; it must be " + must);
        }
    }

    private static void same(boolean is, boolean must, String what) {
        if (is != must) {
            throw new AssertionError(what + " is " + is + "; it must be " + must);
        }
    }

    private static void same(Enum<?> is, Enum<?> must, String what) {
        if (is != must) {
            throw new AssertionError(what + " is " + is + "; it must be " + must);
        }
    }
}
