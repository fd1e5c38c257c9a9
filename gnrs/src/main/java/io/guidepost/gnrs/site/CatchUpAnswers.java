package io.guidepost.gnrs.site;

import io.guidepost.base.Counters;
import io.guidepost.names.Exchange;
import io.guidepost.names.Name;
import io.guidepost.store.HybridClock;
import io.guidepost.store.Image;
import io.guidepost.store.Reader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Answers what the catching up of other servers asks: whether this server is there, its sums, and single records. Never
 * waits: a record that is not in the index is said to differ, and then fetched. One worker's.
 */
final class CatchUpAnswers {
    private final Deployment deployment;
    private final Counters<SiteCount> counts;
    private final Reader reader;

    CatchUpAnswers(Deployment deployment, Counters<SiteCount> counts) {
        this.deployment = deployment;
        this.counts = counts;
        this.reader = deployment.store().reader();
    }

    /** PING, DIGESTS or COMPARE, whose seal was checked. */
    void take(Exchange exchange, int type) {
        int length = exchange.questionLength() - SiteWire.HEADER_BYTES;
        boolean answered =
                switch (type) {
                    case SiteWire.PING -> length == SiteWire.PING_BYTES && ping(exchange);
                    case SiteWire.DIGESTS -> length >= SiteWire.DIGESTS_AT && digests(exchange, length);
                    default -> length >= 4 && compare(exchange, length);
                };
        if (!answered) {
            counts.count(SiteCount.DROPPED_MALFORMED_QUESTION);
        }
    }

    /** The server that says it asks; null if it is none of the deployment. */
    private @Nullable Partner asker(MemorySegment question, long at) {
        Peer peer = deployment.peers()
                .at(
                        question.get(SiteWire.LONG, at),
                        question.get(SiteWire.LONG, at + 8),
                        Short.toUnsignedInt(question.get(SiteWire.SHORT, at + 16)));
        return peer == null || peer.own() ? null : deployment.partners().of(peer);
    }

    private boolean ping(Exchange exchange) {
        counts.count(SiteCount.PINGS);
        MemorySegment question = exchange.question();
        long at = exchange.questionOffset() + SiteWire.HEADER_BYTES;
        boolean same = question.get(SiteWire.LONG, at) == deployment.placement().get().fingerprint();
        Partner asker = asker(question, at + 18);
        long records = 0;
        if (asker != null) {
            asker.tablesSeen(same);
            if (same && (question.get(SiteWire.SHORT, at + 16) & SiteWire.CATCHING_UP) != 0) {
                asker.asks();
                deployment.wakeCatchUp();
            }
            records = deployment.digests().records(asker.address());
        }
        MemorySegment room = exchange.room();
        long to = exchange.roomOffset();
        int length = SiteWire.HEADER_BYTES + SiteWire.PING_RESPONSE_BYTES;
        header(exchange, SiteWire.PING, length);
        room.set(SiteWire.LONG, to + 16, deployment.placement().get().fingerprint());
        room.set(SiteWire.LONG, to + 24, HybridClock.of(exchange.nowMillis()));
        room.set(SiteWire.LONG, to + 32, records);
        room.set(SiteWire.SHORT, to + 40, (short) deployment.flags());
        exchange.answer(length);
        return true;
    }

    private static void header(Exchange exchange, int type, int length) {
        int id = exchange.question().get(SiteWire.INT, exchange.questionOffset() + SiteWire.ID);
        SiteWire.header(exchange.room(), exchange.roomOffset(), type | SiteWire.RESPONSE_BIT, length, id);
    }

    private boolean digests(Exchange exchange, int length) {
        MemorySegment question = exchange.question();
        long at = exchange.questionOffset() + SiteWire.HEADER_BYTES;
        int first = Short.toUnsignedInt(question.get(SiteWire.SHORT, at + 8));
        int number = Short.toUnsignedInt(question.get(SiteWire.SHORT, at + 10));
        boolean whole = number == CatchUpLimits.DIGESTS_MAX
                && first % CatchUpLimits.DIGESTS_MAX == 0
                && first < Ranges.COUNT
                && length == SiteWire.DIGESTS_AT + 8 * number;
        Partner asker = asker(question, at + 12);
        if (!whole || asker == null) {
            return false;
        }
        counts.count(SiteCount.COMPARISONS);
        long fingerprint = deployment.placement().get().fingerprint();
        boolean same = question.get(SiteWire.LONG, at) == fingerprint;
        boolean ready = same && deployment.digests().complete();
        int told = ready ? number : 0;
        int bytes = SiteWire.HEADER_BYTES + SiteWire.DIGESTS_RESPONSE_AT + 8 * told;
        if (bytes > exchange.roomLength()) {
            return false;
        }
        MemorySegment room = exchange.room();
        long to = exchange.roomOffset() + SiteWire.HEADER_BYTES;
        header(exchange, SiteWire.DIGESTS, bytes);
        room.set(SiteWire.LONG, to, fingerprint);
        room.set(SiteWire.SHORT, to + 8, (short) first);
        room.set(SiteWire.SHORT, to + 10, (short) told);
        exchange.answer(bytes);
        if (!same) {
            asker.tablesSeen(false);
        }
        if (ready) {
            long[] ours = deployment.digests().ranges(asker.address());
            long[] theirs = new long[number];
            for (int i = 0; i < number; i++) {
                theirs[i] = question.get(SiteWire.LONG, at + SiteWire.DIGESTS_AT + 8L * i);
                room.set(SiteWire.LONG, to + SiteWire.DIGESTS_RESPONSE_AT + 8L * i, ours[first + i]);
            }
            asker.compared(first, number, ours, theirs, deployment.nanoClock().getAsLong());
            if (asker.differs()) {
                deployment.wakeCatchUp();
            }
        }
        return true;
    }

    private boolean compare(Exchange exchange, int length) {
        MemorySegment question = exchange.question();
        long at = exchange.questionOffset() + SiteWire.HEADER_BYTES;
        int number = Short.toUnsignedInt(question.get(SiteWire.SHORT, at));
        int bytes = SiteWire.HEADER_BYTES + 4 + number;
        if (length != 4 + SiteWire.COMPARED_BYTES * number || bytes > exchange.roomLength()) {
            return false;
        }
        counts.add(SiteCount.RECORDS_COMPARED, number);
        header(exchange, SiteWire.COMPARE, bytes);
        MemorySegment room = exchange.room();
        long to = exchange.roomOffset() + SiteWire.HEADER_BYTES;
        room.set(SiteWire.INT, to, number << 16);
        reader.enter();
        try {
            for (int i = 0; i < number; i++) {
                long guid = at + 4 + (long) SiteWire.COMPARED_BYTES * i;
                long digest = question.get(SiteWire.LONG, guid + SiteWire.GUID_BYTES);
                room.set(SiteWire.BYTE, to + 4 + i, (byte) compared(question, guid, digest));
            }
        } finally {
            reader.exit();
        }
        exchange.answer(bytes);
        return true;
    }

    private int compared(MemorySegment question, long guid, long digest) {
        return switch (reader.find(Name.Namespace.GUID.code(), question, guid, SiteWire.GUID_BYTES)) {
            case YES -> Image.digest(reader.segment(), reader.offset()) == digest ? SiteWire.SAME : SiteWire.DIFFERS;
            case NO -> SiteWire.NOT_THERE;
            case UNKNOWN -> SiteWire.DIFFERS;
        };
    }
}
