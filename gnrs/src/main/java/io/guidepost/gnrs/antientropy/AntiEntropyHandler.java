package io.guidepost.gnrs.antientropy;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.replica.DigestRanges;
import io.guidepost.gnrs.replica.SyncLimits;
import io.guidepost.gnrs.replica.SyncState;
import io.guidepost.gnrs.replica.Syndromes;
import io.guidepost.names.Exchange;
import io.guidepost.names.Name;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Answers the anti-entropy requests of peers: PING, DIGESTS, SYNDROMES and COMPARE. Never blocks: a record that is not in the
 * index is reported as different, and then fetched. Belongs to one worker.
 */
public final class AntiEntropyHandler {
    private final Deployment deployment;
    private final Counters<PeerCount> counts;
    private final RecordReader reader;

    public AntiEntropyHandler(Deployment deployment, Counters<PeerCount> counts) {
        this.deployment = deployment;
        this.counts = counts;
        this.reader = deployment.store().reader();
    }

    /** Handles PING, DIGESTS, SYNDROMES or COMPARE, after its seal was checked. */
    public void take(Exchange exchange, int type) {
        int length = exchange.requestLength() - PeerWire.HEADER_BYTES;
        boolean answered =
                switch (type) {
                    case PeerWire.PING -> length == PeerWire.PING_BYTES && ping(exchange);
                    case PeerWire.DIGESTS -> length >= PeerWire.DIGESTS_AT && digests(exchange, length);
                    case PeerWire.SYNDROMES -> length >= PeerWire.SYNDROMES_AT && syndromes(exchange, length);
                    default -> length >= 4 && compare(exchange, length);
                };
        if (!answered) {
            counts.count(PeerCount.DROPS_MALFORMED_REQUEST);
        }
    }

    /** Returns the peer that the request names as its sender; null if the deployment does not have it. */
    private @Nullable SyncState asker(MemorySegment question, long at) {
        Peer peer = deployment.peers()
                .at(
                        question.get(PeerWire.LONG, at),
                        question.get(PeerWire.LONG, at + 8),
                        Short.toUnsignedInt(question.get(PeerWire.SHORT, at + 16)));
        return peer == null || peer.own() ? null : deployment.syncStates().of(peer);
    }

    private boolean ping(Exchange exchange) {
        counts.count(PeerCount.REQUESTS_RECEIVED_PING);
        MemorySegment question = exchange.request();
        long at = exchange.requestOffset() + PeerWire.HEADER_BYTES;
        boolean same = question.get(PeerWire.LONG, at) == deployment.placement().get().fingerprint();
        SyncState asker = asker(question, at + 18);
        long records = 0;
        if (asker != null) {
            asker.tablesSeen(same);
            if (same && (question.get(PeerWire.SHORT, at + 16) & PeerWire.CATCHING_UP) != 0) {
                asker.asks();
                deployment.wakeCatchUp();
            }
            records = deployment.digests().records(asker.address());
        }
        MemorySegment room = exchange.room();
        long to = exchange.roomOffset();
        int length = PeerWire.HEADER_BYTES + PeerWire.PING_RESPONSE_BYTES;
        header(exchange, PeerWire.PING, length);
        room.set(PeerWire.LONG, to + 16, deployment.placement().get().fingerprint());
        room.set(PeerWire.LONG, to + 24, HybridClock.of(exchange.nowMillis()));
        room.set(PeerWire.LONG, to + 32, records);
        room.set(PeerWire.SHORT, to + 40, (short) (deployment.flags() | PeerWire.HAS_SYNDROMES));
        exchange.respond(length);
        return true;
    }

    private static void header(Exchange exchange, int type, int length) {
        int id = exchange.request().get(PeerWire.INT, exchange.requestOffset() + PeerWire.ID);
        PeerWire.header(exchange.room(), exchange.roomOffset(), type | PeerWire.RESPONSE_BIT, length, id);
    }

    private boolean digests(Exchange exchange, int length) {
        MemorySegment question = exchange.request();
        long at = exchange.requestOffset() + PeerWire.HEADER_BYTES;
        int first = Short.toUnsignedInt(question.get(PeerWire.SHORT, at + 8));
        int number = Short.toUnsignedInt(question.get(PeerWire.SHORT, at + 10));
        boolean whole = number == SyncLimits.DIGESTS_MAX
                && first % SyncLimits.DIGESTS_MAX == 0
                && first < DigestRanges.COUNT
                && length == PeerWire.DIGESTS_AT + 8 * number;
        SyncState asker = asker(question, at + 12);
        if (!whole || asker == null) {
            return false;
        }
        counts.count(PeerCount.REQUESTS_RECEIVED_DIGESTS);
        long fingerprint = deployment.placement().get().fingerprint();
        boolean same = question.get(PeerWire.LONG, at) == fingerprint;
        boolean ready = same && deployment.digests().complete();
        int told = ready ? number : 0;
        int bytes = PeerWire.HEADER_BYTES + PeerWire.DIGESTS_RESPONSE_AT + 8 * told;
        if (bytes > exchange.roomLength()) {
            return false;
        }
        MemorySegment room = exchange.room();
        long to = exchange.roomOffset() + PeerWire.HEADER_BYTES;
        header(exchange, PeerWire.DIGESTS, bytes);
        room.set(PeerWire.LONG, to, fingerprint);
        room.set(PeerWire.SHORT, to + 8, (short) first);
        room.set(PeerWire.SHORT, to + 10, (short) told);
        exchange.respond(bytes);
        if (!same) {
            asker.tablesSeen(false);
        }
        if (ready) {
            long[] ours = deployment.digests().ranges(asker.address());
            long[] theirs = new long[number];
            MemorySegment.copy(question, PeerWire.LONG, at + PeerWire.DIGESTS_AT, theirs, 0, number);
            MemorySegment.copy(ours, first, room, PeerWire.LONG, to + PeerWire.DIGESTS_RESPONSE_AT, number);
            asker.compared(first, number, ours, theirs, deployment.nanoClock().getAsLong());
            if (asker.differs()) {
                deployment.wakeCatchUp();
            }
        }
        return true;
    }

    private boolean syndromes(Exchange exchange, int length) {
        MemorySegment question = exchange.request();
        long at = exchange.requestOffset() + PeerWire.HEADER_BYTES;
        int groups = question.get(PeerWire.INT, at + 8);
        SyncState asker = asker(question, at + 12);
        if (groups == 0 || length != PeerWire.SYNDROMES_AT + PeerWire.SYNDROMES_BYTES * Integer.bitCount(groups) || asker == null) {
            return false;
        }
        counts.count(PeerCount.REQUESTS_RECEIVED_SYNDROMES);
        long fingerprint = deployment.placement().get().fingerprint();
        boolean ready = question.get(PeerWire.LONG, at) == fingerprint && deployment.digests().complete();
        int told = ready ? groups : 0;
        int bytes =
                PeerWire.HEADER_BYTES + PeerWire.SYNDROMES_RESPONSE_AT + PeerWire.SYNDROMES_BYTES * Integer.bitCount(told);
        if (bytes > exchange.roomLength()) {
            return false;
        }
        MemorySegment room = exchange.room();
        long to = exchange.roomOffset() + PeerWire.HEADER_BYTES;
        header(exchange, PeerWire.SYNDROMES, bytes);
        room.set(PeerWire.LONG, to, fingerprint);
        room.set(PeerWire.INT, to + 8, told);
        to += PeerWire.SYNDROMES_RESPONSE_AT;
        if (ready) {
            long[] ours = deployment.digests().syndromes(asker.address());
            for (int rest = told; rest != 0; rest &= rest - 1) {
                int first = Integer.numberOfTrailingZeros(rest) * Syndromes.SUMS;
                MemorySegment.copy(ours, first, room, PeerWire.LONG, to, Syndromes.SUMS);
                to += PeerWire.SYNDROMES_BYTES;
            }
        }
        exchange.respond(bytes);
        return true;
    }

    private boolean compare(Exchange exchange, int length) {
        MemorySegment question = exchange.request();
        long at = exchange.requestOffset() + PeerWire.HEADER_BYTES;
        int number = Short.toUnsignedInt(question.get(PeerWire.SHORT, at));
        int bytes = PeerWire.HEADER_BYTES + 4 + number;
        if (length != 4 + PeerWire.COMPARED_BYTES * number || bytes > exchange.roomLength()) {
            return false;
        }
        counts.add(PeerCount.COMPARED_RECORDS, number);
        header(exchange, PeerWire.COMPARE, bytes);
        MemorySegment room = exchange.room();
        long to = exchange.roomOffset() + PeerWire.HEADER_BYTES;
        room.set(PeerWire.INT, to, number << 16);
        reader.enter();
        try {
            for (int i = 0; i < number; i++) {
                long guid = at + 4 + (long) PeerWire.COMPARED_BYTES * i;
                long digest = question.get(PeerWire.LONG, guid + PeerWire.GUID_BYTES);
                room.set(PeerWire.BYTE, to + 4 + i, (byte) compared(question, guid, digest));
            }
        } finally {
            reader.exit();
        }
        exchange.respond(bytes);
        return true;
    }

    private int compared(MemorySegment question, long guid, long digest) {
        return switch (reader.find(Name.Namespace.GUID.code(), question, guid, PeerWire.GUID_BYTES)) {
            case YES -> RecordImage.digest(reader.segment(), reader.offset()) == digest ? PeerWire.SAME : PeerWire.DIFFERS;
            case NO -> PeerWire.NOT_THERE;
            case UNKNOWN -> PeerWire.DIFFERS;
        };
    }
}
