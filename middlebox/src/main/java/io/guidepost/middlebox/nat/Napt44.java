package io.guidepost.middlebox.nat;

import io.guidepost.base.Counters;
import io.guidepost.base.ExpiringHashTable;
import io.guidepost.base.Memory;
import io.guidepost.packet.frame.InternetChecksum;

/**
 * Translates packets in place, by tables that it shares with others of its kind. One thread's.
 *
 * <p>An error by ICMP quotes the packet that caused it as it was on the other side of the translator. It goes where that
 * came from, and the quotation is translated back, so that its receiver knows it (RFC 5508 section 4). It prolongs nothing.
 */
final class Napt44 {
    private static final int ICMP_CHECKSUM = 2;

    private final NatSettings settings;
    private final Counters<NatCount> tally;
    private final NatTable mappings;
    private final ExpiringHashTable fragments;
    private final ExpiringHashTable peers;

    Napt44(NatSettings settings, NatState tables, Counters<NatCount> tally) {
        this.settings = settings;
        this.tally = tally;
        this.mappings = tables.mappings;
        this.fragments = tables.fragments;
        this.peers = tables.peers;
    }

    /** Ends some mappings that nothing uses any more. */
    void sweep(long nowMillis) {
        for (int i = mappings.sweep(NatLimits.SWEEP, nowMillis); i > 0; i--) {
            tally.count(NatCount.EXPIRED);
        }
    }

    private boolean refused(NatCount why) {
        tally.count(why);
        return false;
    }

    /** Gives a packet of the inside its outside source; false, and counted, if there is none for it. */
    boolean outward(NatPacket.Kind kind, NatPacket flow, long nowMillis) {
        return switch (kind) {
            case QUERY -> queryOutward(flow, nowMillis);
            case ERROR -> errorOutward(flow);
            case LATER_FRAGMENT -> fragmentOutward(flow);
            case OTHER -> refused(NatCount.UNSUPPORTED);
        };
    }

    /** Gives a packet to the outside its destination inside: that address, or 0, and counted, if there is none. */
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

    /** Returns a new mapping takes a port; there may be none left. */
    private boolean queryOutward(NatPacket flow, long nowMillis) {
        int mapping = mappings.find(flow.place(), flow.source(), flow.sourcePort());
        if (mapping == NatTable.NONE) {
            mapping = make(flow, nowMillis);
            if (mapping == NatTable.NONE) {
                return refused(NatCount.PORTS_EXHAUSTED);
            }
        }
        long lasts = use(flow, mapping, false, nowMillis);
        if (settings.filterByAddress()) {
            long holder = NatTable.holder(flow.place(), flow.source(), flow.sourcePort());
            peers.put(holder, flow.destination(), 0, 0, nowMillis, lasts);
        }
        long change = HeaderRewrite.address(flow.packet(), HeaderRewrite.SOURCE, settings.outside().ipv4());
        HeaderRewrite.port(flow, true, NatTable.outsidePort(mapping), change);
        return true;
    }

    /** Makes a mapping, unless another worker has just made it. */
    private int make(NatPacket flow, long nowMillis) {
        synchronized (mappings) {
            int mapping = mappings.find(flow.place(), flow.source(), flow.sourcePort());
            if (mapping == NatTable.NONE) {
                long until = nowMillis + flow.lastsMillis(NatPacket.OPENING);
                mapping = mappings.add(flow.place(), flow.source(), flow.sourcePort(), until);
                if (mapping != NatTable.NONE) {
                    tally.count(NatCount.MAPPINGS);
                }
            }
            return mapping;
        }
    }

    /** Notes that a mapping was used; how long it lasts from now. */
    private long use(NatPacket flow, int mapping, boolean inward, long nowMillis) {
        int state = flow.stateAfter(mappings.state(mapping), inward);
        long lasts = flow.lastsMillis(state);
        mappings.use(mapping, state, nowMillis + lasts);
        return lasts;
    }

    /** Gives a later fragment of the inside its outside source; its first had the port. */
    private boolean fragmentOutward(NatPacket flow) {
        HeaderRewrite.address(flow.packet(), HeaderRewrite.SOURCE, settings.outside().ipv4());
        return true;
    }

    /** Returns the port outside tells the mapping. */
    private int queryInward(NatPacket flow, long nowMillis) {
        int mapping = NatTable.outside(flow.place(), flow.destinationPort());
        // Read once: the mapping may end and the port go to somebody else meanwhile.
        long holder = mappings.holder(mapping);
        if (holder == 0 || mappings.isOver(mapping, nowMillis)) {
            tally.count(NatCount.NO_MAPPING);
            return 0;
        }
        if (settings.filterByAddress() && peers.find(holder, flow.source(), 0, nowMillis) < 0) {
            tally.count(NatCount.FILTERED);
            return 0;
        }
        int to = NatTable.address(holder);
        if (flow.isFragmented()) {
            long address = to & 0xffff_ffffL;
            fragments.put(flow.addresses(), flow.identification(), 0, address, nowMillis, NatLimits.FRAGMENT_MILLIS);
        }
        use(flow, mapping, true, nowMillis);
        long change = HeaderRewrite.address(flow.packet(), HeaderRewrite.DESTINATION, to);
        HeaderRewrite.port(flow, false, NatTable.port(holder), change);
        return to;
    }

    /** Gives a later fragment the destination that its first had, or 0, and counted, if that was not seen. */
    private int fragmentInward(NatPacket flow, long nowMillis) {
        long to = fragments.find(flow.addresses(), flow.identification(), 0, nowMillis);
        if (to < 0) {
            tally.count(NatCount.FRAGMENT_UNKNOWN);
            return 0;
        }
        HeaderRewrite.address(flow.packet(), HeaderRewrite.DESTINATION, (int) to);
        return (int) to;
    }

    /** Returns an error from the inside about a packet that came in: false, and counted, if there is no such mapping. */
    private boolean errorOutward(NatPacket flow) {
        long error = flow.packet();
        long message = flow.transport();
        int bytes = flow.bytes();
        if (InternetChecksum.of(message, bytes) != 0 || flow.readQuoted() != NatPacket.Kind.QUERY) {
            return refused(NatCount.UNSUPPORTED);
        }
        int mapping = mappings.find(flow.place(), flow.destination(), flow.destinationPort());
        if (mapping == NatTable.NONE) {
            return refused(NatCount.NO_MAPPING);
        }
        long change = HeaderRewrite.address(flow.packet(), HeaderRewrite.DESTINATION, settings.outside().ipv4());
        HeaderRewrite.port(flow, false, NatTable.outsidePort(mapping), change);
        HeaderRewrite.address(error, HeaderRewrite.SOURCE, settings.outside().ipv4());
        finish(message, bytes);
        return true;
    }

    /** Returns an error about a packet that went out: the address inside, or 0, and counted, if there is no such mapping. */
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
        int mapping = NatTable.outside(flow.place(), flow.sourcePort());
        long holder = mappings.holder(mapping);
        if (holder == 0 || mappings.isOver(mapping, nowMillis)) {
            tally.count(NatCount.NO_MAPPING);
            return 0;
        }
        int to = NatTable.address(holder);
        long change = HeaderRewrite.address(flow.packet(), HeaderRewrite.SOURCE, to);
        HeaderRewrite.port(flow, true, NatTable.port(holder), change);
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
