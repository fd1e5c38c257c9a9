package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.gnrs.wire.GnrsMessageFlyweight;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One LOOKUP that waits for what other servers say: a copy of the question, and what was fetched for it. Pooled. */
final class PendingLookup {
    private final PendingLookups home;
    private final GnrsMessageFlyweight question = new GnrsMessageFlyweight();
    private final Exchange exchange = new Exchange();
    private final List<Look> looks = new ArrayList<>();
    private int bytes;
    private int waiting;

    PendingLookup(PendingLookups home) {
        this.home = home;
    }

    /** A record that is fetched. */
    static final class Look implements PeerGateway.Fetched {
        private final PendingLookup lookup;
        private final long high;
        private final long middle;
        private final int low;
        private MemorySegment image = PeerGateway.NOTHING;
        private boolean failed;

        Look(PendingLookup lookup, MemorySegment segment, long position) {
            this.lookup = lookup;
            this.high = segment.get(GnrsWire.LONG, position);
            this.middle = segment.get(GnrsWire.LONG, position + 8);
            this.low = segment.get(GnrsWire.INT, position + 16);
        }

        boolean of(MemorySegment segment, long position) {
            return middle == segment.get(GnrsWire.LONG, position + 8)
                    && high == segment.get(GnrsWire.LONG, position)
                    && low == segment.get(GnrsWire.INT, position + 16);
        }

        /** The record; {@link PeerGateway#NOTHING} if it is bound to nothing, or could not be had. */
        MemorySegment image() {
            return image;
        }

        @Override
        public void fetched(PeerGateway.Fetch outcome, byte @Nullable [] record) {
            failed = outcome == PeerGateway.Fetch.FAILED;
            image = record == null ? PeerGateway.NOTHING : MemorySegment.ofArray(record);
            if (--lookup.waiting == 0) {
                lookup.home.ready(lookup);
            }
        }
    }

    /** Fills it with copies: the datagram's memory is the worker's. */
    void fill(Exchange asked, GnrsMessageFlyweight parsed) {
        bytes = parsed.length();
        byte[] copy = new byte[bytes];
        MemorySegment.copy(parsed.segment(), GnrsWire.BYTE, parsed.offset(), copy, 0, bytes);
        exchange.question(MemorySegment.ofArray(copy), 0, bytes, asked.nowMillis());
        exchange.peer(asked.peerHigh(), asked.peerLow(), asked.peerPort());
        exchange.local(asked.localHigh(), asked.localLow(), asked.localPort());
        question.parse(exchange.question(), 0, bytes);
    }

    /** Bytes of the question. */
    int bytes() {
        return bytes;
    }

    GnrsMessageFlyweight question() {
        return question;
    }

    /** Who asked what. */
    Exchange exchange() {
        return exchange;
    }

    /** What was fetched under a GUID, or null if it was not fetched for this question. */
    @Nullable Look look(MemorySegment segment, long position) {
        for (int i = 0; i < looks.size(); i++) {
            Look look = looks.get(i);
            if (look.of(segment, position)) {
                return look;
            }
        }
        return null;
    }

    /** Whether no more may be fetched for this question. */
    boolean full() {
        return looks.size() > GnrsLimits.CHAIN_LOOKS_MAX;
    }

    /** Has a record fetched; it becomes ready when all that it waits for is there. */
    void fetch(MemorySegment segment, long position, PeerGateway relays) {
        Look look = new Look(this, segment, position);
        looks.add(look);
        waiting++;
        if (!relays.fetch(segment, position, exchange, look)) {
            look.failed = true;
            waiting--;
        }
    }

    /** Keeps it from becoming ready while it is told what to wait for. */
    void hold() {
        waiting++;
    }

    /** Lets it become ready; false if it is so already, and need not wait. */
    boolean release() {
        return --waiting > 0;
    }

    /** Whether the record of the very GUID that was asked for could not be had. */
    boolean failed() {
        Look asked = look(question.segment(), question.guid());
        return asked != null && asked.failed;
    }

    /** Lets go of everything. */
    void clear() {
        looks.clear();
        waiting = 0;
        exchange.question(MemorySegment.NULL, 0, 0, 0);
    }
}
