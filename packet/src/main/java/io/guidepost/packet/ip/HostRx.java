package io.guidepost.packet.ip;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Udp;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Takes a burst of frames apart: datagrams to the first of the host's UDP ports become rows of the burst above, that point
 * into the frames; those to its other UDP ports wait for a moment in {@link UdpRx}; questions about the host itself are
 * answered in the same pass; the rest goes to the port for exceptions, or is dropped with a reason.
 */
final class HostRx implements RxQueue {
    private static final int BURSTS_IN_VAIN_MAX = 16;
    private static final long NANOS_IN_MILLI = 1_000_000;
    private static final int IPV4_PLAIN_BYTES = 20;

    private final InterfaceQueue host;
    private final ReversePathCache paths;
    private final LongSupplier clockNanos;
    private final RxQueue lower;
    private final int udpPort;
    private final UdpRx[] others;
    private final ExceptionQueue exceptions;
    private final Burst frames;
    private final HeaderParser headers = new HeaderParser();
    private final QueueStatistics statistics = new QueueStatistics();

    /** Of the first UDP port, whose receiving fills the queues of the others too. */
    HostRx(
            InterfaceQueue host,
            ReversePathCache paths,
            LongSupplier clockNanos,
            RxQueue lower,
            int udpPort,
            List<UdpRx> others,
            ExceptionQueue exceptions) {
        this.host = host;
        this.paths = paths;
        this.clockNanos = clockNanos;
        this.lower = lower;
        this.udpPort = udpPort;
        this.others = others.toArray(UdpRx[]::new);
        this.exceptions = exceptions;
        this.frames = lower.burst();
    }

    @Override
    public Burst burst() {
        return lower.burst();
    }

    @Override
    public int receive(Burst burst) {
        burst.clear();
        statistics.call();
        host.begin(clockNanos.getAsLong() / NANOS_IN_MILLI);
        long bytes = take(burst);
        // Full bursts of which nothing goes up are no reason to sleep, nor to stay here for ever.
        for (int i = 0; i < BURSTS_IN_VAIN_MAX && burst.count() == 0 && frames.isFull() && !isAnyWaiting(); i++) {
            bytes = take(burst);
        }
        for (UdpRx each : others) {
            each.announce();
        }
        exceptions.exchange(host);
        if (host.isWaiting()) {
            host.release();
        }
        host.flush();
        if (burst.count() > 0) {
            statistics.burst(burst.count(), bytes);
        }
        return burst.count();
    }

    private boolean isAnyWaiting() {
        for (UdpRx each : others) {
            if (each.isWaiting()) {
                return true;
            }
        }
        return false;
    }

    private long take(Burst up) {
        int number = lower.receive(frames);
        long bytes = 0;
        for (int i = 0; i < number; i++) {
            bytes += arrived(up, i);
        }
        return bytes;
    }

    /** Looks at one frame; gives the bytes that went up. */
    private int arrived(Burst up, int index) {
        if (!headers.read(frames, index) || !LinkPath.isTaggedOnceAtMost(headers)) {
            return malformed(InterfaceCount.BAD_LAYERS);
        }
        long address = headers.unchecked().address();
        long first = Memory.i64(address, 0);
        long destination = first >>> 16;
        boolean group = (destination & InterfaceQueue.GROUP_BIT) != 0;
        if (destination != host.mac && !group) {
            host.counts.count(InterfaceCount.OTHER_STATION);
            return dropped(Drop.NOT_OURS);
        }
        long source = first << 32 & 0xffff_0000_0000L | Memory.i32(address, 8) & 0xffff_ffffL;
        if (source == 0 || (source & InterfaceQueue.GROUP_BIT) != 0) {
            return malformed(InterfaceCount.BAD_SOURCE);
        }
        long path = LinkPath.of(source, headers.vlan());
        return switch (headers.etherType()) {
            case HeaderParser.IPV4, HeaderParser.IPV6 -> packet(up, index, path, group);
            case HeaderParser.ARP -> done(index, host.arpNdp.takeArp(headers, path));
            default -> others(index);
        };
    }

    private int packet(Burst up, int index, long path, boolean group) {
        boolean ours = host.own.has(headers.destinationHigh(), headers.destinationLow());
        if (ours && headers.protocol() == HeaderParser.UDP && !headers.isFragment()) {
            int port = headers.destinationPort();
            if (port == udpPort) {
                return datagram(up, statistics, index, path, group);
            }
            for (UdpRx each : others) {
                if (each.udpPort == port) {
                    datagram(each.coming, each.statistics(), index, path, group);
                    return 0;
                }
            }
            return unknownPort(index, group);
        }
        int protocol = headers.protocol();
        if ((protocol == HeaderParser.ICMP || protocol == HeaderParser.ICMPV6) && !headers.isFragment()) {
            return message(index, path, ours && !group);
        }
        if (ours && headers.isFragment()) {
            host.counts.count(InterfaceCount.FRAGMENT);
        }
        return others(index);
    }

    private int datagram(Burst up, QueueStatistics counted, int index, long path, boolean group) {
        if (!isSourceRight(group)) {
            return malformed(counted, InterfaceCount.BAD_SOURCE);
        }
        if (!isIpRight()) {
            return malformed(counted, InterfaceCount.BAD_IP_CHECKSUM);
        }
        int bytes = (int) headers.udp() >>> 16;
        if (!isUdpRight(index, bytes)) {
            return malformed(counted, InterfaceCount.BAD_CHECKSUM);
        }
        if (!up.take(frames, index)) {
            counted.drop(Drop.NO_MEMORY, 1);
            return 0;
        }
        long sourceHigh = headers.sourceHigh();
        long sourceLow = headers.sourceLow();
        up.datagram(
                up.count() - 1,
                headers.unchecked().address() + headers.payloadOffset(),
                bytes - 8,
                sourceHigh,
                sourceLow,
                headers.sourcePort(),
                headers.destinationHigh(),
                headers.destinationLow());
        paths.put(sourceHigh, sourceLow, path, host.nowMillis());
        return bytes - 8;
    }

    /** Whether it is from an address that may be answered, and to this station alone (RFC 1122 section 3.3.6). */
    private boolean isSourceRight(boolean group) {
        return !group
                && headers.sourcePort() != 0
                && (headers.isIpv4()
                        ? MartianFilter.isUnicastIpv4((int) headers.sourceLow())
                        : MartianFilter.isUnicastIpv6(headers.sourceHigh(), headers.sourceLow()));
    }

    private boolean isIpRight() {
        if (!headers.isIpv4()) {
            return true;
        }
        long address = headers.unchecked().address() + headers.networkOffset();
        int bytes = headers.transportOffset() - headers.networkOffset();
        return bytes == IPV4_PLAIN_BYTES
                ? InternetChecksum.fold(InternetChecksum.addIpv4(0, address)) == 0
                : InternetChecksum.of(address, bytes) == 0;
    }

    private boolean isUdpRight(int index, int bytes) {
        int checksum = (int) headers.udp() & 0xffff;
        if (checksum == 0) {
            // None was made, which IPv6 does not allow (RFC 8200 section 8.1).
            return headers.isIpv4();
        }
        int udp = headers.transportOffset();
        int said = frames.checksum(index);
        if (said != TransportChecksum.UNKNOWN && isChecksumRight(said, udp)) {
            return true;
        }
        // One that is partial elsewhere is of a packet in the datagram, whose checksum holds for what that will be.
        InternetChecksum.complete(frames, index);
        long pseudo = InternetChecksum.pseudo(headers, bytes);
        return InternetChecksum.fold(InternetChecksum.add(pseudo, headers.unchecked().address() + udp, bytes)) == 0
                || isPartial(checksum, pseudo);
    }

    /** Whether the device has said so of the checksum, or it is one that no wire can have damaged: none has completed it. */
    private boolean isChecksumRight(int said, int udp) {
        if (said == TransportChecksum.RIGHT) {
            host.counts.count(InterfaceCount.CHECKSUM_BY_DEVICE);
            return true;
        }
        if (said == TransportChecksum.partial(udp, Udp.CHECKSUM)) {
            host.counts.count(InterfaceCount.PARTIAL_CHECKSUM);
            return true;
        }
        return false;
    }

    /**
     * Whether a checksum is that of the addresses alone. A kernel that sends to a device without a wire leaves it so for
     * a device that completes it; there is none, and no wire that could have damaged the rest.
     */
    private boolean isPartial(int checksum, long pseudo) {
        boolean partial = (InternetChecksum.fold(pseudo) ^ 0xffff) == checksum;
        if (partial) {
            host.counts.count(InterfaceCount.PARTIAL_CHECKSUM);
        }
        return partial;
    }

    private int unknownPort(int index, boolean group) {
        if (exceptions.present()) {
            return others(index);
        }
        if (isSourceRight(group) && isIpRight()) {
            host.errors.portUnreachable(headers);
        }
        return dropped(Drop.NOT_OURS);
    }

    /** Takes in a message of ICMP or ICMPv6. */
    private int message(int index, long path, boolean ours) {
        boolean isKnown = headers.isIpv4() == (headers.protocol() == HeaderParser.ICMP);
        if (!isKnown || !isIpRight() || InternetChecksum.check(headers) != InternetChecksum.State.RIGHT) {
            return malformed(InterfaceCount.BAD_CHECKSUM);
        }
        if (ArpNdp.isNdp(headers)) {
            return done(index, host.arpNdp.takeNdp(headers, path));
        }
        return ours ? done(index, host.echo.take(frames, index, headers)) : others(index);
    }

    private int done(int index, ControlOutcome outcome) {
        return switch (outcome) {
            case ANSWERED -> 0;
            case LEARNT -> exceptions.present() ? others(index) : 0;
            case IGNORED -> others(index);
            case MALFORMED -> malformed(InterfaceCount.BAD_LAYERS);
        };
    }

    private int others(int index) {
        if (!exceptions.present()) {
            return dropped(Drop.NOT_OURS);
        }
        exceptions.pass(host, frames, index);
        return 0;
    }

    private int malformed(InterfaceCount why) {
        return malformed(statistics, why);
    }

    private int malformed(QueueStatistics counted, InterfaceCount why) {
        host.counts.count(why);
        counted.drop(Drop.MALFORMED, 1);
        return 0;
    }

    private int dropped(Drop reason) {
        statistics.drop(reason, 1);
        return 0;
    }

    @Override
    public QueueStatistics statistics() {
        return statistics;
    }

    @Override
    public Readiness readiness() {
        return lower.readiness();
    }
}
