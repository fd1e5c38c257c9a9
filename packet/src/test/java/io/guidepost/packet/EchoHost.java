package io.guidepost.packet;

import io.guidepost.base.Memory;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.worker.FrameHandler;

/** A host for tests: answers ARP for every IPv4 address, and ICMP echo, in the frame that asked. */
public final class EchoHost implements FrameHandler {
    private final long mac;
    private final HeaderParser headers = new HeaderParser();

    public EchoHost(long mac) {
        this.mac = mac;
    }

    @Override
    public int frame(Burst in, int index) {
        long at = in.offset(index);
        if (!headers.read(in, index)) {
            return REFUSE;
        }
        if (headers.etherType() == HeaderParser.ARP && Memory.u16(at + 20) == 1) {
            return arp(at);
        }
        int icmp = headers.transportOffset();
        return headers.protocol() == HeaderParser.ICMP && Memory.u8(at + icmp) == 8 ? echo(at, icmp) : DISCARD;
    }

    private int arp(long at) {
        int asked = Memory.i32(at + 38);
        Memory.copy(at + 22, at + 32, 10);
        putMac(at + 22, mac);
        Memory.put32(at + 28, asked);
        Memory.put16(at + 20, 2);
        return back(at);
    }

    private int echo(long at, int icmp) {
        long addresses = Memory.i64(at + 26);
        Memory.put64(at + 26, addresses << 32 | addresses >>> 32);
        Memory.put8(at + icmp, 0);
        Memory.put16(at + icmp + 2, InternetChecksum.update16(Memory.u16(at + icmp + 2), 0x0800, 0));
        return back(at);
    }

    private int back(long at) {
        Memory.copy(at + 6, at, 6);
        putMac(at + 6, mac);
        return 0;
    }

    private static void putMac(long at, long mac) {
        Memory.put32(at, (int) (mac >>> 16));
        Memory.put16(at + 4, (int) mac);
    }

    /** Writes a frame of 60 bytes with a UDP datagram of one of many flows. */
    public static void datagram(long at, long from, long to, int flow) {
        putMac(at, to);
        putMac(at + 6, from);
        Memory.put16(at + 12, HeaderParser.IPV4);
        Memory.put64(at + 14, 0x4500_002e_0000_4000L);
        Memory.put64(at + 22, 0x4011_0000_0a00_0001L);
        Memory.put32(at + 30, 0x0a00_0002);
        Memory.put16(at + 24, InternetChecksum.of(at + 14, 20));
        Memory.put64(at + 34, (long) (1_024 + flow) << 48 | 0x1388_001a_0000L);
    }
}
