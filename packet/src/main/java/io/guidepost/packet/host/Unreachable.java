package io.guidepost.packet.host;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;

/**
 * Tells who sends to a UDP port where nobody listens: ICMP destination unreachable, port unreachable (RFC 792, RFC 1122
 * section 3.2.2; RFC 4443 section 3.1). Not more than so many in a second, so that the host is of no use against others.
 */
final class Unreachable {
    /** As many as some systems answer in all: enough for a person with a tool. */
    private static final int PER_SECOND_MAX = 100;

    private static final long SECOND_NANOS = 1_000_000_000L;

    /** Bytes of the datagram that are told back; far below the 576 and 1,280 that every path carries. */
    private static final int QUOTE_BYTES_MAX = 512;

    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int ICMP_BYTES = 8;
    private static final int HOPS = 64;

    private static final int TYPE_AND_CODE_V4 = 3 << 24 | 3 << 16;
    private static final int TYPE_AND_CODE_V6 = 1 << 24 | 4 << 16;

    private final HostQueue host;
    private long secondNanos;
    private int inSecond;

    Unreachable(HostQueue host) {
        this.host = host;
    }

    /** Answers a datagram. */
    void take(HeaderParser headers, long path) {
        if (!mayNow()) {
            host.counts.add(HostCount.UNREACHABLE_WITHHELD);
        } else if (host.hasRoom()) {
            answer(headers, path);
            host.counts.add(HostCount.UNREACHABLE_ANSWERED);
        }
    }

    private boolean mayNow() {
        if (host.nowNanos() - secondNanos >= SECOND_NANOS) {
            secondNanos = host.nowNanos();
            inSecond = 0;
        }
        return ++inSecond <= PER_SECOND_MAX;
    }

    private void answer(HeaderParser headers, long path) {
        Burst answers = host.answers();
        long start = answers.room();
        long ip = start + LinkPath.headerBytes(path);
        boolean ipv4 = headers.isIpv4();
        long icmp = ip + (ipv4 ? IPV4_BYTES : IPV6_BYTES);
        int quote = Math.min(QUOTE_BYTES_MAX, headers.networkEnd() - headers.networkOffset());
        int bytes = ICMP_BYTES + quote;
        LinkPath.writeBefore(ip, path, host.mac, headers.etherType());
        Memory.put64(icmp, (long) (ipv4 ? TYPE_AND_CODE_V4 : TYPE_AND_CODE_V6) << 32);
        Memory.copy(headers.frame().address() + headers.networkOffset(), icmp + ICMP_BYTES, quote);
        if (ipv4) {
            putIpv4(headers, ip, bytes);
            Memory.put16(icmp + 2, InternetChecksum.of(icmp, bytes));
        } else {
            putIpv6(headers, ip, bytes);
            // The sum is the same when the two parties change places.
            long pseudo = InternetChecksum.pseudoIpv6(
                    headers.sourceHigh(), headers.sourceLow(), headers.destinationHigh(), headers.destinationLow(),
                    HeaderParser.ICMPV6, bytes);
            Memory.put16(icmp + 2, InternetChecksum.fold(InternetChecksum.add(pseudo, icmp, bytes)));
        }
        answers.append((int) (icmp - start) + bytes);
    }

    private static void putIpv4(HeaderParser headers, long ip, int bytes) {
        Memory.put64(ip, 0x4500L << 48 | (long) (bytes + IPV4_BYTES) << 32 | 0x4000);
        Memory.put32(ip + 8, HOPS << 24 | HeaderParser.ICMP << 16);
        Memory.put64(ip + 12, headers.destinationLow() << 32 | headers.sourceLow() & 0xffff_ffffL);
        Memory.put16(ip + 10, InternetChecksum.of(ip, IPV4_BYTES));
    }

    private static void putIpv6(HeaderParser headers, long ip, int bytes) {
        Memory.put64(ip, 6L << 60 | (long) bytes << 16 | HeaderParser.ICMPV6 << 8 | HOPS);
        Memory.put64(ip + 8, headers.destinationHigh());
        Memory.put64(ip + 16, headers.destinationLow());
        Memory.put64(ip + 24, headers.sourceHigh());
        Memory.put64(ip + 32, headers.sourceLow());
    }
}
