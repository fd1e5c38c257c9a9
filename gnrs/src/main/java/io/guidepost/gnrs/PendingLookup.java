package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.gnrs.wire.GnrsMessageFlyweight;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One LOOKUP that waits for other servers: a copy of the request, and the records fetched for it. Pooled. */
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

    /** A record that is being fetched. */
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

        /** Returns the record; {@link PeerGateway#NOTHING} if it has no bindings, or could not be fetched. */
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

    /** Fills it with copies: the datagram's memory belongs to the worker. */
    void fill(Exchange asked, GnrsMessageFlyweight parsed) {
        bytes = parsed.length();
        byte[] copy = new byte[bytes];
        MemorySegment.copy(parsed.segment(), GnrsWire.BYTE, parsed.offset(), copy, 0, bytes);
        exchange.request(MemorySegment.ofArray(copy), 0, bytes, asked.nowMillis());
        exchange.addressesOf(asked);
        question.parse(exchange.request(), 0, bytes);
    }

    int bytes() {
        return bytes;
    }

    GnrsMessageFlyweight question() {
        return question;
    }

    Exchange exchange() {
        return exchange;
    }

    /** Returns the record fetched for this request under a GUID, or null if there is none. */
    @Nullable Look look(MemorySegment segment, long position) {
        for (int i = 0; i < looks.size(); i++) {
            Look look = looks.get(i);
            if (look.of(segment, position)) {
                return look;
            }
        }
        return null;
    }

    /** Returns whether this request may fetch no more records. */
    boolean full() {
        return looks.size() > GnrsLimits.CHAIN_LOOKS_MAX;
    }

    /** Fetches a record; the request becomes ready when all its fetches are complete. */
    void fetch(MemorySegment segment, long position, PeerGateway relays) {
        Look look = new Look(this, segment, position);
        looks.add(look);
        waiting++;
        if (!relays.fetch(segment, position, exchange, look)) {
            look.failed = true;
            waiting--;
        }
    }

    /** Keeps it from becoming ready while fetches are added. */
    void hold() {
        waiting++;
    }

    /** Allows it to become ready; returns false if it is ready already and need not wait. */
    boolean release() {
        return --waiting > 0;
    }

    /** Returns whether the record of the requested GUID itself could not be fetched. */
    boolean failed() {
        Look asked = look(question.segment(), question.guid());
        return asked != null && asked.failed;
    }

    void clear() {
        looks.clear();
        waiting = 0;
        exchange.request(MemorySegment.NULL, 0, 0, 0);
    }
}
