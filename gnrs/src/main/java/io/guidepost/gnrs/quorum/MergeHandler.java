package io.guidepost.gnrs.quorum;

import io.guidepost.base.Counters;
import io.guidepost.base.Malformed;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.names.Exchange;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * Handles MERGE of peers: merges their changes into the store and confirms when they are durable. Belongs to one
 * worker.
 */
public final class MergeHandler {
    private static final int IMAGE_AT = PeerWire.HEADER_BYTES + 4;
    private static final int RESPONSE_BYTES = PeerWire.HEADER_BYTES + 20;

    private final LocalWrites own;
    private final HybridClock clock;
    private final long stampAheadMillis;
    private final Counters<PeerCount> counts;
    private final ArrayDeque<Confirmation> ready = new ArrayDeque<>();

    public MergeHandler(Deployment deployment, Counters<PeerCount> counts, Runnable wake) {
        this.own = new LocalWrites(deployment, wake);
        this.clock = deployment.clock();
        this.stampAheadMillis = deployment.settings().stampAheadMillis();
        this.counts = counts;
    }

    /** The confirmation of one MERGE: its destination and its content. */
    private final class Confirmation implements LocalWrite.Landed {
        private final Exchange asker = new Exchange();
        private final int id;
        private int code;
        private long newest;
        private long digest;

        Confirmation(Exchange exchange, int id) {
            asker.addressesOf(exchange);
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
            exchange.addressesOf(asker);
            respond(exchange, id, code, newest, digest);
        }
    }

    /** Returns the number of changes that wait for the disk. */
    public int inFlight() {
        return own.inFlight();
    }

    /** Takes the changes that have become durable. */
    public void begin() {
        own.drain();
    }

    /** Handles a MERGE whose seal was checked. */
    public void take(Exchange exchange) {
        MemorySegment segment = exchange.request();
        long at = exchange.requestOffset();
        int length = exchange.requestLength() - IMAGE_AT;
        if (length < 0) {
            counts.count(PeerCount.DROPS_MALFORMED_REQUEST);
            return;
        }
        boolean strict = (segment.get(PeerWire.SHORT, at + PeerWire.HEADER_BYTES) & PeerWire.STRICT) != 0;
        byte[] change = new byte[length];
        MemorySegment.copy(segment, PeerWire.BYTE, at + IMAGE_AT, change, 0, length);
        try {
            RecordImage.check(change);
        } catch (Malformed e) {
            counts.count(PeerCount.DROPS_MALFORMED_REQUEST);
            return;
        }
        counts.count(PeerCount.REQUESTS_RECEIVED_MERGE);
        int id = segment.get(PeerWire.INT, at + PeerWire.ID);
        long stamp = RecordImage.newest(MemorySegment.ofArray(change), 0);
        if (HybridClock.millis(stamp) - stampAheadMillis > exchange.nowMillis()) {
            counts.count(PeerCount.REFUSED_MERGES_STAMP_AHEAD);
            respond(exchange, id, PeerWire.STAMP_AHEAD, 0, 0);
            return;
        }
        clock.seen(stamp);
        if (!own.submit(change, strict, new Confirmation(exchange, id))) {
            counts.count(PeerCount.REFUSED_MERGES_IN_FLIGHT_MAX);
            respond(exchange, id, PeerWire.REFUSED, 0, 0);
        }
    }

    private static void respond(Exchange exchange, int id, int code, long newest, long digest) {
        MemorySegment room = exchange.room();
        long at = exchange.roomOffset();
        PeerWire.header(room, at, PeerWire.MERGE | PeerWire.RESPONSE_BIT, RESPONSE_BYTES, id);
        room.set(PeerWire.INT, at + PeerWire.HEADER_BYTES, code << 16);
        room.set(PeerWire.LONG, at + PeerWire.HEADER_BYTES + 4, newest);
        room.set(PeerWire.LONG, at + PeerWire.HEADER_BYTES + 12, digest);
        exchange.respond(RESPONSE_BYTES);
    }

    /** Writes a confirmation that is ready, without its seal; returns false if there is none. */
    public boolean next(Exchange exchange) {
        Confirmation confirmation = ready.poll();
        if (confirmation == null) {
            return false;
        }
        confirmation.write(exchange);
        return true;
    }
}
