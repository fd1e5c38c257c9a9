package io.guidepost.gnrs.site;

import io.guidepost.base.Counters;
import io.guidepost.names.Exchange;
import io.guidepost.names.Malformed;
import io.guidepost.store.HybridClock;
import io.guidepost.store.Image;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/** MERGE of other servers: what they say is merged into the store and confirmed when it is durable. One worker's. */
final class Merges {
    private static final int IMAGE_AT = SiteWire.HEADER_BYTES + 4;
    private static final int RESPONSE_BYTES = SiteWire.HEADER_BYTES + 20;

    private final OwnMerges own;
    private final HybridClock clock;
    private final long stampAheadMillis;
    private final Counters<SiteCount> counts;
    private final ArrayDeque<Confirmation> ready = new ArrayDeque<>();

    Merges(Deployment deployment, Counters<SiteCount> counts, Runnable wake) {
        this.own = new OwnMerges(deployment, wake);
        this.clock = deployment.clock();
        this.stampAheadMillis = deployment.settings().stampAheadMillis();
        this.counts = counts;
    }

    /** One MERGE, and what it came to: whom to tell, and what. */
    private final class Confirmation implements OwnMerge.Landed {
        private final Exchange asker = new Exchange();
        private final int id;
        private int code;
        private long newest;
        private long digest;

        Confirmation(Exchange exchange, int id) {
            asker.peer(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort());
            asker.local(exchange.localHigh(), exchange.localLow(), exchange.localPort());
            this.id = id;
        }

        @Override
        public void landed(int outcome, long newestThere, long digestThere) {
            code = outcome;
            newest = newestThere;
            digest = digestThere;
            ready.add(this);
        }

        void write(Exchange exchange) {
            exchange.peer(asker.peerHigh(), asker.peerLow(), asker.peerPort());
            exchange.local(asker.localHigh(), asker.localLow(), asker.localPort());
            respond(exchange, id, code, newest, digest);
        }
    }

    /** Hears of what has become durable. */
    void begin() {
        own.drain();
    }

    /** A MERGE whose seal was checked. */
    void take(Exchange exchange) {
        MemorySegment segment = exchange.question();
        long at = exchange.questionOffset();
        int length = exchange.questionLength() - IMAGE_AT;
        if (length < 0) {
            counts.count(SiteCount.DROPPED_MALFORMED_QUESTION);
            return;
        }
        boolean strict = (segment.get(SiteWire.SHORT, at + SiteWire.HEADER_BYTES) & SiteWire.STRICT) != 0;
        byte[] change = new byte[length];
        MemorySegment.copy(segment, SiteWire.BYTE, at + IMAGE_AT, change, 0, length);
        try {
            Image.check(change);
        } catch (Malformed e) {
            counts.count(SiteCount.DROPPED_MALFORMED_QUESTION);
            return;
        }
        counts.count(SiteCount.MERGES);
        int id = segment.get(SiteWire.INT, at + SiteWire.ID);
        long stamp = Image.newest(MemorySegment.ofArray(change), 0);
        if (HybridClock.millis(stamp) - stampAheadMillis > exchange.nowMillis()) {
            counts.count(SiteCount.MERGES_STAMP_AHEAD);
            respond(exchange, id, SiteWire.STAMP_AHEAD, 0, 0);
            return;
        }
        clock.seen(stamp);
        if (!own.submit(change, strict, new Confirmation(exchange, id))) {
            counts.count(SiteCount.MERGES_IN_FLIGHT_MAX);
            respond(exchange, id, SiteWire.REFUSED, 0, 0);
        }
    }

    private static void respond(Exchange exchange, int id, int code, long newest, long digest) {
        MemorySegment room = exchange.room();
        long at = exchange.roomOffset();
        SiteWire.header(room, at, SiteWire.MERGE | SiteWire.RESPONSE_BIT, RESPONSE_BYTES, id);
        room.set(SiteWire.INT, at + SiteWire.HEADER_BYTES, code << 16);
        room.set(SiteWire.LONG, at + SiteWire.HEADER_BYTES + 4, newest);
        room.set(SiteWire.LONG, at + SiteWire.HEADER_BYTES + 12, digest);
        exchange.answer(RESPONSE_BYTES);
    }

    /** A confirmation that is ready, without its seal. */
    boolean next(Exchange exchange) {
        Confirmation confirmation = ready.poll();
        if (confirmation == null) {
            return false;
        }
        confirmation.write(exchange);
        return true;
    }
}
