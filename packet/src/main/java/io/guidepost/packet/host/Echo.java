package io.guidepost.packet.host;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;

/**
 * Answers echo requests (RFC 792, RFC 4443 section 4) in their own frames: the two parties change places, and the type is
 * another.
 */
final class Echo {
    static final int REQUEST = 8;
    static final int REQUEST_V6 = 128;

    private static final int REPLY_V6 = 129;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int HOPS = 64;

    private final HostQueue host;

    Echo(HostQueue host) {
        this.host = host;
    }

    /** Answers a request whose checksum is right; false if it is not one that is answered here. */
    boolean take(Burst frames, int index, HeaderParser headers, long path) {
        int ip = headers.networkOffset();
        int icmp = headers.transportOffset();
        boolean ipv4 = headers.isIpv4();
        // What has options or extension headers would need them in the answer too.
        if (icmp - ip != (ipv4 ? IPV4_BYTES : IPV6_BYTES)
                || headers.frame().u16(icmp) != (ipv4 ? REQUEST : REQUEST_V6) << 8) {
            return false;
        }
        long start = headers.frame().address();
        if (ipv4) {
            turnIpv4(start + ip, start + icmp);
        } else {
            turnIpv6(start + ip, start + icmp);
        }
        LinkPath.writeBefore(start + ip, path, host.mac, headers.etherType());
        frames.reshape(index, start, headers.networkEnd());
        if (host.answer(frames, index)) {
            host.counts.add(HostCount.ECHO_ANSWERED);
        }
        return true;
    }

    private static void turnIpv4(long ip, long icmp) {
        long addresses = Memory.i64(ip + 12);
        Memory.put64(ip + 12, addresses << 32 | addresses >>> 32);
        Memory.put32(ip + 8, HOPS << 24 | HeaderParser.ICMP << 16);
        Memory.put16(ip + 10, InternetChecksum.of(ip, IPV4_BYTES));
        int checksum = Memory.u16(icmp + 2);
        Memory.put32(icmp, InternetChecksum.update16(checksum, REQUEST << 8, 0));
    }

    private static void turnIpv6(long ip, long icmp) {
        long sourceHigh = Memory.i64(ip + 8);
        long sourceLow = Memory.i64(ip + 16);
        Memory.put64(ip + 8, Memory.i64(ip + 24));
        Memory.put64(ip + 16, Memory.i64(ip + 32));
        Memory.put64(ip + 24, sourceHigh);
        Memory.put64(ip + 32, sourceLow);
        Memory.put8(ip + 7, HOPS);
        int checksum = Memory.u16(icmp + 2);
        Memory.put32(icmp, REPLY_V6 << 24 | InternetChecksum.update16(checksum, REQUEST_V6 << 8, REPLY_V6 << 8));
    }
}
