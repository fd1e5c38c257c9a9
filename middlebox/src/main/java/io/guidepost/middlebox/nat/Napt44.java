package io.guidepost.middlebox.nat;

import io.guidepost.base.Counters;
import io.guidepost.base.ExpiringHashTable;
import io.guidepost.base.Memory;
import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.frame.InternetChecksum;

/**
 * Translates packets in place, with state shared by all workers. One thread's.
 *
 * <p>An ICMP error quotes its packet as seen on the other side of the translator. It is sent to that packet's source,
 * with the quotation translated back, so that the receiver recognises it (RFC 5508 section 4). It does not refresh the
 * mapping.
 */
final class Napt44 {
    private static final int ICMP_CHECKSUM = 2;

    private final NatSettings settings;
    private final Counters<NatCount> tally;
    private final NatState tables;
    private final NatTable mappings;
    private final ExpiringHashTable fragments;
    private final ExpiringHashTable peers;
    private final NatMapping found = new NatMapping();
    private long sweptMillis;

    Napt44(NatSettings settings, NatState tables, Counters<NatCount> tally) {
        this.settings = settings;
        this.tally = tally;
        this.tables = tables;
        this.mappings = tables.mappings;
        this.fragments = tables.fragments;
        this.peers = tables.peers;
    }

    /** Expires some idle mappings, and tells the log whether flows are refused. */
    void sweep(long nowMillis) {
        tables.look(nowMillis);
        if (nowMillis == sweptMillis) {
            return;
        }
        int millis = Math.clamp(nowMillis - sweptMillis, 1, PacketLimits.SLEEP_MILLIS_MAX);
        sweptMillis = nowMillis;
        for (int i = mappings.sweep(millis * NatLimits.SWEEP, nowMillis); i > 0; i--) {
            tally.count(NatCount.EXPIRED);
        }
    }

    private boolean refused(NatCount why) {
        tally.count(why);
        return false;
    }

    /** Translates the source of an inside packet; false, and counted, if there is no mapping. */
    boolean outward(NatPacket.Kind kind, NatPacket flow, long nowMillis) {
        return switch (kind) {
            case QUERY -> queryOutward(flow, nowMillis);
            case ERROR -> errorOutward(flow);
            case LATER_FRAGMENT -> fragmentOutward(flow);
            case OTHER -> refused(NatCount.UNSUPPORTED);
        };
    }

    /**
     * Translates the destination of an outside packet; returns the inside address, or 0, and counted, if there is no
     * mapping; a later fragment whose first has not come is not counted.
     */
    int inward(NatPacket.Kind kind, NatPacket flow, long nowMillis) {
        return switch (kind) {
            case QUERY -> queryInward(flow, nowMillis);
            case ERROR -> errorInward(flow, nowMillis);
            case LATER_FRAGMENT -> fragmentInward(flow, nowMillis);
            case OTHER -> {
                tally.count(NatCount.UNSUPPORTED);
                yield 0;
            }
        };
    }

    /** Translates an outgoing packet; a new mapping takes a port, of which none may be left. */
    private boolean queryOutward(NatPacket flow, long nowMillis) {
        long holder = NatTable.holder(flow.protocol(), flow.source(), flow.sourcePort());
        long path = mappings.path(flow.protocol(), flow.destination(), flow.destinationPort());
        int mapping = mappings.find(holder, path, found);
        if (mapping == NatTable.NONE) {
            mapping = make(flow, holder, path, nowMillis);
            if (mapping < 0) {
                RefusalNotice notice = tables.notice(flow.protocol(), mapping);
                notice.refused(nowMillis);
                return refused(notice.count());
            }
        }
        long lasts = use(flow, mapping, false, nowMillis);
        if (settings.filterByAddress() && !mappings.shares(flow.protocol())) {
            peers.put(holder, flow.destination(), 0, 0, nowMillis, lasts);
        }
        long change = HeaderRewrite.address(flow.packet(), HeaderRewrite.SOURCE, settings.outside().ipv4());
        HeaderRewrite.port(flow, true, found.outsidePort(), change);
        return true;
    }

    /** Creates a mapping, unless another worker has just done so. */
    private int make(NatPacket flow, long holder, long path, long nowMillis) {
        synchronized (mappings) {
            int mapping = mappings.find(holder, path, found);
            if (mapping == NatTable.NONE) {
                long until = nowMillis + flow.lastsMillis(TcpTracking.OPENING);
                mapping = mappings.add(flow.protocol(), flow.source(), flow.sourcePort(), path, until, found);
                if (mapping >= 0) {
                    tally.count(NatCount.MAPPINGS);
                    if (flow.protocol() == NatProtocol.TCP) {
                        tables.connections.begin(mapping);
                    }
                }
            }
            return mapping;
        }
    }

    /** Refreshes a mapping; returns its new timeout. */
    private long use(NatPacket flow, int mapping, boolean inward, long nowMillis) {
        int state = mappings.state(mapping);
        if (flow.protocol() == NatProtocol.TCP) {
            state = tables.connections.after(mapping, state, flow.transport(), flow.bytes(), inward);
        }
        long lasts = flow.lastsMillis(state);
        mappings.use(mapping, state, nowMillis + lasts);
        return lasts;
    }

    /** Translates the source of a later fragment from the inside; its first had the port. */
    private boolean fragmentOutward(NatPacket flow) {
        HeaderRewrite.address(flow.packet(), HeaderRewrite.SOURCE, settings.outside().ipv4());
        return true;
    }

    /** Translates an incoming packet by its outside port's mapping. */
    private int queryInward(NatPacket flow, long nowMillis) {
        int mapping = findInward(flow, flow.destinationPort(), flow.source(), flow.sourcePort(), nowMillis);
        if (mapping == NatTable.NONE) {
            return 0;
        }
        if (settings.filterByAddress()
                && !mappings.shares(flow.protocol())
                && peers.find(found.holder(), flow.source(), 0, nowMillis) < 0) {
            tally.count(NatCount.FILTERED);
            return 0;
        }
        int to = found.insideAddress();
        if (flow.isFragmented()) {
            long address = to & 0xffff_ffffL;
            fragments.put(flow.addresses(), flow.identification(), 0, address, nowMillis, NatLimits.FRAGMENT_MILLIS);
        }
        use(flow, mapping, true, nowMillis);
        long change = HeaderRewrite.address(flow.packet(), HeaderRewrite.DESTINATION, to);
        HeaderRewrite.port(flow, false, found.insidePort(), change);
        return to;
    }

    /** Finds the mapping of an outside port that a remote endpoint may reach: none, and counted, if it has expired. */
    private int findInward(NatPacket flow, int port, int remoteAddress, int remotePort, long nowMillis) {
        NatProtocol protocol = flow.protocol();
        int mapping = mappings.findOutside(protocol, port, mappings.path(protocol, remoteAddress, remotePort), found);
        if (mapping == NatTable.NONE || mappings.isOver(mapping, nowMillis)) {
            tally.count(NatCount.NO_MAPPING);
            return NatTable.NONE;
        }
        return mapping;
    }

    /** Gives a later fragment its first one's destination; 0 if that was not seen. */
    private int fragmentInward(NatPacket flow, long nowMillis) {
        int to = fragmentTarget(flow, nowMillis);
        if (to != 0) {
            HeaderRewrite.address(flow.packet(), HeaderRewrite.DESTINATION, to);
        }
        return to;
    }

    /** Returns the inside address of a later fragment from the outside; 0 if its first was not seen. */
    int fragmentTarget(NatPacket flow, long nowMillis) {
        return (int) Math.max(0, fragments.find(flow.addresses(), flow.identification(), 0, nowMillis));
    }

    /** Translates an ICMP error from the inside about an incoming packet: false, and counted, without a mapping. */
    private boolean errorOutward(NatPacket flow) {
        long error = flow.packet();
        long message = flow.transport();
        int bytes = flow.bytes();
        if (InternetChecksum.of(message, bytes) != 0 || flow.readQuoted() != NatPacket.Kind.QUERY) {
            return refused(NatCount.UNSUPPORTED);
        }
        long holder = NatTable.holder(flow.protocol(), flow.destination(), flow.destinationPort());
        long path = mappings.path(flow.protocol(), flow.source(), flow.sourcePort());
        if (mappings.find(holder, path, found) == NatTable.NONE) {
            return refused(NatCount.NO_MAPPING);
        }
        long change = HeaderRewrite.address(flow.packet(), HeaderRewrite.DESTINATION, settings.outside().ipv4());
        HeaderRewrite.port(flow, false, found.outsidePort(), change);
        HeaderRewrite.address(error, HeaderRewrite.SOURCE, settings.outside().ipv4());
        finish(message, bytes);
        return true;
    }

    /** Translates an ICMP error about an outgoing packet: the inside address, or 0, and counted, without a mapping. */
    private int errorInward(NatPacket flow, long nowMillis) {
        long error = flow.packet();
        long message = flow.transport();
        int bytes = flow.bytes();
        if (InternetChecksum.of(message, bytes) != 0
                || flow.readQuoted() != NatPacket.Kind.QUERY
                || flow.source() != settings.outside().ipv4()) {
            tally.count(NatCount.UNSUPPORTED);
            return 0;
        }
        if (findInward(flow, flow.sourcePort(), flow.destination(), flow.destinationPort(), nowMillis) == NatTable.NONE) {
            return 0;
        }
        int to = found.insideAddress();
        long change = HeaderRewrite.address(flow.packet(), HeaderRewrite.SOURCE, to);
        HeaderRewrite.port(flow, true, found.insidePort(), change);
        HeaderRewrite.address(error, HeaderRewrite.DESTINATION, to);
        finish(message, bytes);
        return to;
    }

    private void finish(long message, int bytes) {
        Memory.put16(message + ICMP_CHECKSUM, 0);
        Memory.put16(message + ICMP_CHECKSUM, InternetChecksum.of(message, bytes));
        tally.count(NatCount.ERRORS);
    }
}
