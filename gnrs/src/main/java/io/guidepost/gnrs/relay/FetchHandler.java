package io.guidepost.gnrs.relay;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Counters;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.names.Exchange;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers FETCH of peers with the local copy: at once out of the index, or when the engine has read it. Records who
 * fetched, so that a change of the record can invalidate the peer's cache. Belongs to one worker.
 */
final class FetchHandler {
    private static final long NANOS_IN_MILLI = 1_000_000;
    private static final int GUID_AT = PeerWire.HEADER_BYTES;

    private final Deployment deployment;
    private final RecordFetches fetches;
    private final InvalidationList interests;
    private final LongSupplier nanoClock;
    private final Counters<PeerCount> counts;
    private final ArrayDeque<Late> ready = new ArrayDeque<>();

    FetchHandler(Deployment deployment, RecordFetches fetches, InvalidationList interests, Counters<PeerCount> counts) {
        this.deployment = deployment;
        this.fetches = fetches;
        this.interests = interests;
        this.nanoClock = deployment.nanoClock();
        this.counts = counts;
    }

    /** An answer that had to wait for the engine. */
    private final class Late implements EngineLookups.Looked {
        private final Exchange asker = new Exchange();
        private final byte[] guid = new byte[PeerWire.GUID_BYTES];
        private final int id;
        private boolean known;
        private byte @Nullable [] image;

        Late(Exchange exchange, int id) {
            asker.addressesOf(exchange);
            long at = exchange.requestOffset() + GUID_AT;
            MemorySegment.copy(exchange.request(), PeerWire.BYTE, at, guid, 0, guid.length);
            this.id = id;
        }

        @Override
        public void looked(boolean readable, byte @Nullable [] found) {
            known = readable;
            image = found;
            ready.add(this);
        }
    }

    /** Handles a FETCH whose seal was checked; the answer goes into the exchange, or comes later. */
    void take(Exchange exchange) {
        if (exchange.requestLength() != FetchRequest.QUESTION_BYTES) {
            counts.count(PeerCount.DROPS_MALFORMED_REQUEST);
            return;
        }
        counts.count(PeerCount.REQUESTS_RECEIVED_FETCH);
        MemorySegment segment = exchange.request();
        long guid = exchange.requestOffset() + GUID_AT;
        int id = segment.get(PeerWire.INT, exchange.requestOffset() + PeerWire.ID);
        switch (fetches.find(segment, guid)) {
            case YES -> {
                RecordReader reader = fetches.reader();
                found(exchange, id, segment, guid, reader.segment(), reader.offset());
            }
            case NO -> nothing(exchange, id, segment, guid);
            case UNKNOWN -> {
                if (!fetches.engine().submit(segment, guid, new Late(exchange, id))) {
                    counts.count(PeerCount.REFUSED_ENGINE_READS);
                    respond(exchange, id, PeerWire.FOUND, 0);
                }
            }
        }
    }

    /** Writes an answer that had to wait, without its seal; returns false if there is none. */
    boolean next(Exchange exchange) {
        Late late = ready.poll();
        if (late == null) {
            return false;
        }
        exchange.addressesOf(late.asker);
        MemorySegment guid = MemorySegment.ofArray(late.guid);
        byte[] image = late.image;
        if (!late.known) {
            respond(exchange, late.id, PeerWire.FOUND, 0);
        } else if (image == null) {
            nothing(exchange, late.id, guid, 0);
        } else {
            found(exchange, late.id, guid, 0, MemorySegment.ofArray(image), 0);
        }
        return true;
    }

    boolean waiting() {
        return !ready.isEmpty();
    }

    private void found(Exchange exchange, int id, MemorySegment guids, long guid, MemorySegment image, long offset) {
        int form = RecordImage.flags(image, offset) & (RecordImage.STAMPED | RecordImage.VALUES);
        MemorySegment shared = image;
        long at = offset;
        if (form != RecordImage.STAMPED || RecordImage.length(image, offset) > CommonLimits.SHARED_RECORD_BYTES_MAX) {
            byte[] copy = new byte[RecordImage.length(image, offset)];
            MemorySegment.copy(image, PeerWire.BYTE, offset, copy, 0, copy.length);
            shared = MemorySegment.ofArray(RecordMerge.shared(copy));
            at = 0;
        }
        int length = RecordImage.length(shared, at);
        if (FetchRequest.IMAGE_AT + length + PeerWire.SEAL_BYTES > exchange.roomLength()) {
            respond(exchange, id, PeerWire.FOUND, 0);
            return;
        }
        MemorySegment.copy(shared, at, exchange.room(), exchange.roomOffset() + FetchRequest.IMAGE_AT, length);
        respond(exchange, id, PeerWire.FOUND | flags(guids, guid), length);
        note(exchange, guids, guid, RemoteRecordCache.lifeMillis(shared, at, deployment.settings(), fetches.nowMillis()));
    }

    private void nothing(Exchange exchange, int id, MemorySegment segment, long guid) {
        respond(exchange, id, flags(segment, guid), 0);
        note(exchange, segment, guid, deployment.settings().negativeTtlMillis());
    }

    private int flags(MemorySegment segment, long guid) {
        return (fetches.order().isHere(segment, guid) ? PeerWire.PLACED_HERE : 0)
                | (fetches.order().mayLag(segment, guid) ? PeerWire.CATCHING_UP : 0);
    }

    private static void respond(Exchange exchange, int id, int flags, int imageBytes) {
        MemorySegment room = exchange.room();
        long at = exchange.roomOffset();
        int length = FetchRequest.IMAGE_AT + imageBytes;
        PeerWire.header(room, at, PeerWire.FETCH | PeerWire.RESPONSE_BIT, length, id);
        room.set(PeerWire.INT, at + PeerWire.HEADER_BYTES, flags << 16);
        exchange.respond(length);
    }

    /** Records that the requesting peer may cache the answer. */
    private void note(Exchange exchange, MemorySegment segment, long guid, long lifeMillis) {
        Peer peer = deployment.peers().at(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort());
        if (peer != null && lifeMillis > 0) {
            long now = nanoClock.getAsLong();
            long life = Math.min(lifeMillis, RelayLimits.INTEREST_MILLIS_MAX) * NANOS_IN_MILLI;
            interests.add(segment, guid, peer, now, now + life);
        }
    }
}
