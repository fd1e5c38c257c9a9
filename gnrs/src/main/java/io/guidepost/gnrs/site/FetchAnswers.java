package io.guidepost.gnrs.site;

import io.guidepost.base.Counters;
import io.guidepost.names.Exchange;
import io.guidepost.names.Limits;
import io.guidepost.store.Image;
import io.guidepost.store.Merge;
import io.guidepost.store.Reader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * FETCH of other servers, answered with the own copy: at once out of the index, or when the engine has been asked. Keeps
 * in mind who asked, so that they can be told when the record changes. One worker's.
 */
final class FetchAnswers {
    private static final long NANOS_IN_MILLI = 1_000_000;
    private static final int GUID_AT = SiteWire.HEADER_BYTES;

    private final Deployment deployment;
    private final Fetches fetches;
    private final Interests interests;
    private final LongSupplier nanoClock;
    private final Counters<SiteCount> counts;
    private final ArrayDeque<Late> ready = new ArrayDeque<>();

    FetchAnswers(Deployment deployment, Fetches fetches, Interests interests, Counters<SiteCount> counts) {
        this.deployment = deployment;
        this.fetches = fetches;
        this.interests = interests;
        this.nanoClock = deployment.nanoClock();
        this.counts = counts;
    }

    /** An answer that had to wait for the engine. */
    private final class Late implements EngineLooks.Looked {
        private final Exchange asker = new Exchange();
        private final byte[] guid = new byte[SiteWire.GUID_BYTES];
        private final int id;
        private boolean known;
        private byte @Nullable [] image;

        Late(Exchange exchange, int id) {
            asker.peer(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort());
            asker.local(exchange.localHigh(), exchange.localLow(), exchange.localPort());
            long at = exchange.questionOffset() + GUID_AT;
            MemorySegment.copy(exchange.question(), SiteWire.BYTE, at, guid, 0, guid.length);
            this.id = id;
        }

        @Override
        public void looked(boolean readable, byte @Nullable [] found) {
            known = readable;
            image = found;
            ready.add(this);
        }
    }

    /** A FETCH whose seal was checked; it is answered in the exchange, or later. */
    void take(Exchange exchange) {
        if (exchange.questionLength() != FetchQuestion.QUESTION_BYTES) {
            counts.count(SiteCount.DROPPED_MALFORMED_QUESTION);
            return;
        }
        counts.count(SiteCount.FETCHES_ANSWERED);
        MemorySegment segment = exchange.question();
        long guid = exchange.questionOffset() + GUID_AT;
        int id = segment.get(SiteWire.INT, exchange.questionOffset() + SiteWire.ID);
        switch (fetches.find(segment, guid)) {
            case YES -> {
                Reader reader = fetches.reader();
                found(exchange, id, segment, guid, reader.segment(), reader.offset());
            }
            case NO -> nothing(exchange, id, segment, guid);
            case UNKNOWN -> {
                if (!fetches.engine().submit(segment, guid, new Late(exchange, id))) {
                    counts.count(SiteCount.ENGINE_MAX);
                    respond(exchange, id, SiteWire.FOUND, 0);
                }
            }
        }
    }

    /** An answer that had to wait, without its seal; false if there is none. */
    boolean next(Exchange exchange) {
        Late late = ready.poll();
        if (late == null) {
            return false;
        }
        exchange.peer(late.asker.peerHigh(), late.asker.peerLow(), late.asker.peerPort());
        exchange.local(late.asker.localHigh(), late.asker.localLow(), late.asker.localPort());
        MemorySegment guid = MemorySegment.ofArray(late.guid);
        byte[] image = late.image;
        if (!late.known) {
            respond(exchange, late.id, SiteWire.FOUND, 0);
        } else if (image == null) {
            nothing(exchange, late.id, guid, 0);
        } else {
            found(exchange, late.id, guid, 0, MemorySegment.ofArray(image), 0);
        }
        return true;
    }

    /** Whether {@link #next} has something. */
    boolean waiting() {
        return !ready.isEmpty();
    }

    private void found(Exchange exchange, int id, MemorySegment guids, long guid, MemorySegment image, long offset) {
        int form = Image.flags(image, offset) & (Image.STAMPED | Image.VALUES);
        MemorySegment shared = image;
        long at = offset;
        if (form != Image.STAMPED || Image.length(image, offset) > Limits.SHARED_RECORD_BYTES_MAX) {
            byte[] copy = new byte[Image.length(image, offset)];
            MemorySegment.copy(image, SiteWire.BYTE, offset, copy, 0, copy.length);
            shared = MemorySegment.ofArray(Merge.shared(copy));
            at = 0;
        }
        int length = Image.length(shared, at);
        if (FetchQuestion.IMAGE_AT + length + SiteWire.SEAL_BYTES > exchange.roomLength()) {
            respond(exchange, id, SiteWire.FOUND, 0);
            return;
        }
        MemorySegment.copy(shared, at, exchange.room(), exchange.roomOffset() + FetchQuestion.IMAGE_AT, length);
        respond(exchange, id, SiteWire.FOUND | flags(guids, guid), length);
        note(exchange, guids, guid, Memories.lifeMillis(shared, at, deployment.settings(), fetches.nowMillis()));
    }

    private void nothing(Exchange exchange, int id, MemorySegment segment, long guid) {
        respond(exchange, id, flags(segment, guid), 0);
        note(exchange, segment, guid, deployment.settings().negativeTtlMillis());
    }

    private int flags(MemorySegment segment, long guid) {
        return (fetches.order().isHere(segment, guid) ? SiteWire.PLACED_HERE : 0)
                | (deployment.catchingUp() ? SiteWire.CATCHING_UP : 0);
    }

    private static void respond(Exchange exchange, int id, int flags, int imageBytes) {
        MemorySegment room = exchange.room();
        long at = exchange.roomOffset();
        int length = FetchQuestion.IMAGE_AT + imageBytes;
        SiteWire.header(room, at, SiteWire.FETCH | SiteWire.RESPONSE_BIT, length, id);
        room.set(SiteWire.INT, at + SiteWire.HEADER_BYTES, flags << 16);
        exchange.answer(length);
    }

    /** Keeps in mind that whoever asked may remember the answer. */
    private void note(Exchange exchange, MemorySegment segment, long guid, long lifeMillis) {
        Peer peer = deployment.peers().at(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort());
        if (peer != null && lifeMillis > 0) {
            long now = nanoClock.getAsLong();
            long life = Math.min(lifeMillis, FetchLimits.INTEREST_MILLIS_MAX) * NANOS_IN_MILLI;
            interests.add(segment, guid, peer, now, now + life);
        }
    }
}
