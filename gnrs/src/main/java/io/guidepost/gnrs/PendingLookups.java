package io.guidepost.gnrs;

import io.guidepost.base.DynamicThresholdQuota;
import io.guidepost.base.SourceNetwork;
import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.gnrs.wire.GnrsMessageFlyweight;
import io.guidepost.names.Exchange;
import io.guidepost.store.RecordReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Look-ups of one worker's clients that may need records of other servers. Those that wait are bounded in number and
 * bytes; slots are created on first use and kept.
 *
 * <p>A request is answered as if all records were local. Where one is missing the answer is discarded; all missing
 * records are fetched at once, and the request is answered again with them. So a chain of links takes one round for
 * each link, and {@link GnrsLimits#CHAIN_LOOKS_MAX} bounds the records that it may fetch. A link whose record could not be
 * fetched stays in the answer as it is; if it is the requested record, the answer is FAILED.
 */
final class PendingLookups {
    private final PeerGateway relays;
    private final CachedReader reader;
    private final LookupHandler lookups;
    private final List<PendingLookup> free = new ArrayList<>();
    private final ArrayDeque<PendingLookup> ready = new ArrayDeque<>();
    private final DynamicThresholdQuota sources;
    private int bytes;
    private @Nullable GnrsCount outcome;

    PendingLookups(GnrsSettings settings, PeerGateway relays, RecordReader own, long secret) {
        this.relays = relays;
        this.reader = new CachedReader(own, relays);
        this.lookups = LookupHandler.relayed(settings);
        this.sources = new DynamicThresholdQuota(relays.waitingMax(), GnrsLimits.SOURCE_TIMES_FREE, secret);
    }

    /** Follows new settings, but for the advertised address. */
    void follow(GnrsSettings next) {
        lookups.follow(next);
    }

    /** Makes truncated answers keep the nearest places; the order belongs to this worker. */
    void nearestFirst(NearestFirstOrder order) {
        lookups.nearestFirst(order);
    }

    GnrsCount outcome() {
        return outcome == null ? lookups.outcome() : outcome;
    }

    /** Returns the other events of the last answer, see {@link AnswerBuilder#events}. */
    long events() {
        return outcome == null ? lookups.events() : 0;
    }

    /** Returns whether the last answer rests on cached answers of other servers. */
    boolean remembered() {
        return reader.remembered();
    }

    /** Writes the answer and returns its length; {@link LookupHandler#UNKNOWN} if {@link #next} will deliver it. */
    int take(Exchange exchange, GnrsMessageFlyweight question) {
        outcome = null;
        reader.begin(null, exchange.nowMillis());
        int length = lookups.answer(exchange, question, reader);
        if (length != LookupHandler.UNKNOWN) {
            return length;
        }
        if (sources.isFull() || question.length() > GnrsLimits.RELAYED_BYTES_MAX - bytes) {
            outcome = GnrsCount.LOOKUPS_PEERS_MAX;
            return lookups.failed(exchange, question);
        }
        if (!sources.tryAcquire(SourceNetwork.of(exchange.peerHigh(), exchange.peerLow()), relays.room())) {
            outcome = GnrsCount.LOOKUPS_SOURCE_QUOTA;
            return lookups.failed(exchange, question);
        }
        PendingLookup lookup = free.isEmpty() ? new PendingLookup(this) : free.removeLast();
        lookup.fill(exchange, question);
        bytes += lookup.bytes();
        fetch(lookup);
        return LookupHandler.UNKNOWN;
    }

    private void fetch(PendingLookup lookup) {
        lookup.hold();
        for (int i = 0; i < reader.missing() && !lookup.full(); i++) {
            if (lookup.look(reader.missingSegment(i), reader.missingPosition(i)) == null) {
                lookup.fetch(reader.missingSegment(i), reader.missingPosition(i), relays);
            }
        }
        if (!lookup.release()) {
            ready.add(lookup);
        }
    }

    void ready(PendingLookup lookup) {
        ready.add(lookup);
    }

    /** Returns whether {@link #next} has a look-up to answer. */
    boolean ready() {
        return !ready.isEmpty();
    }

    /** Writes the answer to a look-up that had to wait; returns false if there is none. */
    boolean next(Exchange exchange, long nowMillis) {
        for (PendingLookup lookup = ready.poll(); lookup != null; lookup = ready.poll()) {
            int length = answer(lookup, exchange, nowMillis);
            if (length == LookupHandler.UNKNOWN) {
                fetch(lookup);
            } else {
                Exchange asker = lookup.exchange();
                exchange.addressesOf(asker);
                exchange.respond(length);
                recycle(lookup);
                return true;
            }
        }
        return false;
    }

    private int answer(PendingLookup lookup, Exchange room, long nowMillis) {
        Exchange exchange = lookup.exchange();
        exchange.request(exchange.request(), 0, lookup.bytes(), nowMillis);
        exchange.room(room.room(), room.roomOffset(), room.roomLength());
        outcome = null;
        if (lookup.failed()) {
            outcome = GnrsCount.LOOKUPS_PEERS_FAILED;
            return lookups.failed(exchange, lookup.question());
        }
        reader.begin(lookup, nowMillis);
        return lookups.answer(exchange, lookup.question(), reader);
    }

    private void recycle(PendingLookup lookup) {
        Exchange asker = lookup.exchange();
        sources.release(SourceNetwork.of(asker.peerHigh(), asker.peerLow()));
        bytes -= lookup.bytes();
        lookup.clear();
        free.add(lookup);
    }
}
