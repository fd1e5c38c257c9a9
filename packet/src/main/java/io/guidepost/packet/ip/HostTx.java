package io.guidepost.packet.ip;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Offload;
import io.guidepost.packet.Port;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Udp;
import java.util.function.LongSupplier;

/**
 * Puts UDP, IP and Ethernet headers in front of datagrams, where they stand: their rooms keep {@link #RESERVE_BYTES} free
 * for that. What the port of frames had no place for keeps its headers, and a mark that it has them.
 *
 * <pre>
 *  piece of packet memory:  | Ethernet 14, tag 4 | IPv4 20 or IPv6 40 | UDP 8 | payload ...
 *                                                                             ^ room of the burst
 * </pre>
 */
final class HostTx implements TxQueue, PendingNeighbourQueue.Sender {
    /** Ethernet with a tag, IPv6, UDP. */
    static final int RESERVE_BYTES = LinkPath.ETHERNET_BYTES + LinkPath.TAG_BYTES + 40 + 8;

    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int UDP_BYTES = 8;
    private static final int HOPS = 64;
    private static final long NANOS_IN_MILLI = 1_000_000;

    /** Payload from which on a checksum is left to a device that completes it: to tell costs as much as to sum 400 bytes. */
    private static final int LEFT_BYTES_MIN = 512;

    /** Version 4, five words of header; do not fragment. */
    private static final long IPV4_FIRST = 0x4500L << 48 | 0x4000;

    private static final long IPV6_FIRST = 6L << 60 | HeaderParser.UDP << 8 | HOPS;

    /** Noted on a datagram that has its headers, above the bytes of its payload. */
    private static final long FRAMED = 1L << 32;

    private final InterfaceQueue host;
    private final ReversePathCache paths;
    private final LongSupplier clockNanos;
    private final int udpPort;
    private final TxQueue frames;
    private final int capacity;
    private final int roomBytesMax;
    private final int frameBytesMax;
    private final int leftBytesMin;
    private final QueueStatistics statistics = new QueueStatistics();
    private int identification;
    private int framedPackets;
    private long framedBytes;

    /** A queue that sends from a UDP port, over a queue of a port of frames. */
    HostTx(
            InterfaceQueue host,
            ReversePathCache paths,
            LongSupplier clockNanos,
            int udpPort,
            Port frames,
            int number,
            int capacity) {
        this.host = host;
        this.paths = paths;
        this.clockNanos = clockNanos;
        this.udpPort = udpPort;
        this.frames = frames.tx(number);
        this.capacity = capacity;
        this.frameBytesMax = frames.frameBytesMax();
        this.leftBytesMin = frames.offloads().contains(Offload.TX_UDP_CHECKSUM) ? LEFT_BYTES_MIN : Integer.MAX_VALUE;
        int ip = host.own.hasIpv6() ? IPV6_BYTES : IPV4_BYTES;
        this.roomBytesMax = frameBytesMax - LinkPath.ETHERNET_BYTES - ip - UDP_BYTES;
    }

    @Override
    public Burst burst() {
        return Burst.ofFrames(host.out.memory(), capacity, RESERVE_BYTES, roomBytesMax);
    }

    @Override
    public int send(Burst burst) {
        if (burst.count() == 0) {
            return 0;
        }
        statistics.call();
        host.begin(clockNanos.getAsLong() / NANOS_IN_MILLI);
        frameAll(burst);
        host.flush();
        if (burst.count() > 0) {
            int left = frames.send(burst);
            count(burst, left);
        }
        return burst.count();
    }

    @Override
    public void drop(Burst burst) {
        TxQueue.super.drop(burst);
        framedPackets = 0;
        framedBytes = 0;
    }

    private void frameAll(Burst burst) {
        int i = 0;
        while (i < burst.count()) {
            if (burst.mark(i) >= FRAMED || frame(burst, i)) {
                i++;
            } else {
                burst.remove(i);
            }
        }
    }

    /** Counts those that left: all that had headers, but those that stayed. */
    private void count(Burst burst, int left) {
        long bytes = 0;
        for (int i = 0; i < left; i++) {
            bytes += burst.mark(i) & 0xffff;
        }
        if (framedPackets > left) {
            statistics.burst(framedPackets - left, framedBytes - bytes);
        }
        framedPackets = left;
        framedBytes = bytes;
    }

    /** Gives a datagram its headers; false if it cannot leave, or waits for its neighbour. */
    private boolean frame(Burst burst, int index) {
        long high = burst.peerHigh(index);
        long low = burst.peerLow(index);
        // Only addresses that may be answered have a way back.
        long path = paths.find(high, low, host.nowMillis());
        if (path == LinkPath.NONE) {
            if (!MartianFilter.isUnicast(high, low)) {
                return refused(Drop.REFUSED);
            }
            path = forward(burst, index, Addresses.withoutScope(high), low);
        }
        if (path == LinkPath.NONE || !frame(burst, index, path)) {
            return false;
        }
        framedPackets++;
        framedBytes += burst.mark(index) & 0xffff;
        return true;
    }

    /** Finds the way to the neighbour that leads to an address; while that is not known the datagram waits, as a frame. */
    private long forward(Burst burst, int index, long high, long low) {
        long hopHigh = host.own.hopHigh(high, low);
        long hopLow = host.own.hopLow(high, low);
        if ((hopHigh | hopLow) == 0) {
            host.counts.count(InterfaceCount.NEIGHBOUR_MISSING);
            refused(Drop.UNREACHABLE);
            return LinkPath.NONE;
        }
        long known = host.neighbour(hopHigh, hopLow, InterfaceQueue.UNTAGGED);
        if (known != 0) {
            return LinkPath.of(known, InterfaceQueue.UNTAGGED);
        }
        if (frame(burst, index, LinkPath.BROADCAST)) {
            host.hold(burst, index, hopHigh, hopLow, InterfaceQueue.UNTAGGED, this);
        }
        return LinkPath.NONE;
    }

    private boolean frame(Burst burst, int index, long path) {
        int source = source(burst, index);
        if (source < 0) {
            return refused(Drop.REFUSED);
        }
        int bytes = burst.length(index);
        boolean ipv4 = Addresses.isIpv4(burst.peerHigh(index), burst.peerLow(index));
        int ip = ipv4 ? IPV4_BYTES : IPV6_BYTES;
        if (bytes + UDP_BYTES + ip + LinkPath.ETHERNET_BYTES > frameBytesMax) {
            return refused(Drop.TOO_LARGE);
        }
        long payload = burst.offset(index);
        long header = payload - UDP_BYTES - ip;
        if (ipv4) {
            putIpv4(burst, index, source, header, bytes);
        } else {
            putIpv6(burst, index, source, header, bytes);
        }
        long start = LinkPath.writeBefore(header, path, host.mac, ipv4 ? HeaderParser.IPV4 : HeaderParser.IPV6);
        int transport = (int) (payload - start) - UDP_BYTES;
        int checksum = isLeft(bytes) ? TransportChecksum.partial(transport, Udp.CHECKSUM) : TransportChecksum.UNKNOWN;
        burst.enclosed(index, start, (int) (payload - start) + bytes, checksum, FRAMED | bytes);
        return true;
    }

    @Override
    public void left(long mark) {
        statistics.burst(1, mark & 0xffff);
    }

    @Override
    public void dropped(Drop reason) {
        statistics.drop(reason, 1);
    }

    private boolean refused(Drop reason) {
        statistics.drop(reason, 1);
        return false;
    }

    private int source(Burst burst, int index) {
        long high = burst.localHigh(index);
        long low = burst.localLow(index);
        int asked = (high | low) == 0 ? -1 : host.own.indexOf(high, low);
        return asked >= 0 ? asked : host.own.sourceFor(burst.peerHigh(index), burst.peerLow(index));
    }

    private void putIpv4(Burst burst, int index, int source, long ip, int bytes) {
        int from = (int) host.own.low(source);
        int to = (int) burst.peerLow(index);
        int udpBytes = bytes + UDP_BYTES;
        putUdp(burst.peerPort(index), ip, IPV4_BYTES, bytes, InternetChecksum.pseudoIpv4(from, to, HeaderParser.UDP, udpBytes));
        long first = IPV4_FIRST | (long) (udpBytes + IPV4_BYTES) << 32 | (identification++ & 0xffffL) << 16;
        int hops = HOPS << 24 | HeaderParser.UDP << 16;
        long addresses = (long) from << 32 | to & 0xffff_ffffL;
        long sum = (first >>> 32) + (first & 0xffff_ffffL) + hops + (addresses >>> 32) + (addresses & 0xffff_ffffL);
        Memory.put64(ip, 0, first);
        Memory.put32(ip, 8, hops | InternetChecksum.fold(sum));
        Memory.put64(ip, 12, addresses);
    }

    private void putIpv6(Burst burst, int index, int source, long ip, int bytes) {
        long fromHigh = host.own.high(source);
        long fromLow = host.own.low(source);
        long toHigh = Addresses.withoutScope(burst.peerHigh(index));
        long toLow = burst.peerLow(index);
        int udpBytes = bytes + UDP_BYTES;
        putUdp(
                burst.peerPort(index),
                ip,
                IPV6_BYTES,
                bytes,
                InternetChecksum.pseudoIpv6(fromHigh, fromLow, toHigh, toLow, HeaderParser.UDP, udpBytes));
        Memory.put64(ip, 0, IPV6_FIRST | (long) udpBytes << 16);
        Memory.put64(ip, 8, fromHigh);
        Memory.put64(ip, 16, fromLow);
        Memory.put64(ip, 24, toHigh);
        Memory.put64(ip, 32, toLow);
    }

    /** Whether the device completes the checksum of a datagram of this length; to sum a few bytes costs less than to tell. */
    private boolean isLeft(int bytes) {
        return bytes >= leftBytesMin;
    }

    /** Writes the UDP header at an offset from the beginning of the IP header. */
    private void putUdp(int peerPort, long ip, int behind, int bytes, long pseudo) {
        long header = (long) udpPort << 48 | (long) peerPort << 32 | (long) (bytes + UDP_BYTES) << 16;
        if (isLeft(bytes)) {
            Memory.put64(ip, behind, header | ~InternetChecksum.fold(pseudo) & 0xffff);
            return;
        }
        long sum = pseudo + (header >>> 32) + (header & 0xffff_ffffL);
        int checksum = InternetChecksum.fold(InternetChecksum.add(sum, ip + behind + UDP_BYTES, bytes));
        // RFC 768: a checksum that comes out as zero is sent as all ones, as zero says that there is none.
        Memory.put64(ip, behind, header | (checksum == 0 ? 0xffff : checksum));
    }

    @Override
    public QueueStatistics statistics() {
        return statistics;
    }
}
