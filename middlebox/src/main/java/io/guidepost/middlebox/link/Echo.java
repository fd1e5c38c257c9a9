package io.guidepost.middlebox.link;

import io.guidepost.base.Memory;
import io.guidepost.packet.Drop;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Icmp;
import io.guidepost.packet.frame.Icmpv6;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.packet.frame.Ipv6;

/** Answers echo requests in their own frames (RFC 792, RFC 4443 section 4): the two parties change places. One thread's. */
final class Echo {
    private final LinkQueue queue;
    private final Icmp icmp = new Icmp();
    private final Icmpv6 icmpv6 = new Icmpv6();
    private final Ipv6 ipv6 = new Ipv6();

    Echo(LinkQueue queue) {
        this.queue = queue;
    }

    /** Answers the packet that was taken if it is a request; says whether it is done with. */
    boolean answer(int index) {
        HeaderParser headers = queue.headers();
        if (headers.isFragment() || headers.transportOffset() < 0) {
            return false;
        }
        long packet = queue.in().offset(index) + headers.networkOffset();
        long message = queue.in().offset(index) + headers.transportOffset();
        int bytes = headers.networkEnd() - headers.transportOffset();
        return headers.isIpv6()
                ? answerIpv6(index, packet, message, bytes)
                : headers.protocol() == HeaderParser.ICMP && answerIpv4(index, packet, message, bytes);
    }

    private boolean answerIpv4(int index, long packet, long message, int bytes) {
        if (!icmp.read(message, bytes) || icmp.type() != Icmp.ECHO) {
            return false;
        }
        if (!icmp.isChecksumRight(bytes)) {
            queue.drop(Drop.MALFORMED);
            return true;
        }
        icmp.reply();
        // The header's checksum covers the addresses as a sum: to exchange them does not change it.
        int source = Memory.i32(packet + 12);
        Memory.put32(packet + 12, Memory.i32(packet + 16));
        Memory.put32(packet + 16, source);
        int life = Memory.u16(packet + 8);
        int fresh = Ipv4.TTL << 8 | life & 0xff;
        Memory.put16(packet + 8, fresh);
        Memory.put16(packet + 10, InternetChecksum.update16(Memory.u16(packet + 10), life, fresh));
        queue.sendBack(index);
        return true;
    }

    private boolean answerIpv6(int index, long packet, long message, int bytes) {
        // What has extension headers would need them in the answer too.
        if (queue.headers().protocol() != HeaderParser.ICMPV6
                || message - packet != Ipv6.BYTES
                || !icmpv6.read(message, bytes)
                || icmpv6.type() != Icmpv6.ECHO) {
            return false;
        }
        ipv6.wrap(packet, Ipv6.BYTES);
        if (!icmpv6.isChecksumRight(ipv6.pseudoSum(HeaderParser.ICMPV6, bytes), bytes)) {
            queue.drop(Drop.MALFORMED);
            return true;
        }
        icmpv6.reply();
        ipv6.turn().hopLimit(Ipv6.HOP_LIMIT);
        queue.sendBack(index);
        return true;
    }
}
