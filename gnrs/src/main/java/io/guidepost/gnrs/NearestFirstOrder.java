package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.gnrs.wire.GnrsOptionType;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Exchange;
import io.guidepost.names.Locator;
import io.guidepost.proximity.ranking.CountingSort;
import io.guidepost.proximity.ranking.Ranking;
import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Orders the places of an answer in place, nearest to the client first. Each keeps its times. Places without a rank,
 * such as names and URLs, stay behind in their order; all do if the client's own location is unknown. Where not all
 * places fit into an answer, {@link #sequence} selects the nearest. Allocates nothing. Belongs to one worker, or to one
 * deferred look-up.
 */
final class NearestFirstOrder {
    private static final int PLACES_MAX = Math.max(GnrsLimits.ORDERED_BINDINGS_MAX, io.guidepost.base.CommonLimits.LOCATORS_MAX);

    private final Supplier<Ranking> rankings;
    private final Predicate<Exchange> wanted;
    private final CountingSort order = new CountingSort(PLACES_MAX);
    private final char[] nearest = new char[PLACES_MAX];
    private final int[] starts = new int[GnrsLimits.ORDERED_BINDINGS_MAX + 1];
    private final long[] times = new long[GnrsLimits.TIMED_BINDINGS_MAX];
    private MemorySegment scratch = MemorySegment.ofArray(new byte[GnrsLimits.ANSWER_BYTES_PLAIN]);

    /**
     * Creates an order for one thread.
     *
     * @param rankings gives the snapshot in force
     * @param wanted tests whether a client's answer is to be ordered
     */
    NearestFirstOrder(Supplier<Ranking> rankings, Predicate<Exchange> wanted) {
        this.rankings = rankings;
        this.wanted = wanted;
    }

    /**
     * Chooses the order in which places are tried for an answer that has no room for all.
     *
     * @return whether nearest first; {@link #place} then gives the place of each step; else their own order holds
     */
    boolean sequence(Exchange exchange, BindingList places) {
        if (!wanted.test(exchange)) {
            return false;
        }
        Ranking ranking = rankings.get();
        int source = ranking.source(ranking.place(exchange.peerHigh(), exchange.peerLow()));
        if (source == Ranking.NO_SOURCE) {
            return false;
        }
        char[] ranks = ranking.ranks(source);
        char[] ranked = order.ranks();
        for (int i = 0; i < places.count(); i++) {
            ranked[i] = ranks[place(ranking, places.segment(i), places.position(i))];
        }
        sort(places.count());
        return true;
    }

    /** Sorts the ranked places; unranked ones stay behind them. */
    private void sort(int count) {
        order.sort(count, true);
        char[] positions = order.positions();
        for (int i = 0; i < count; i++) {
            nearest[positions[i]] = (char) i;
        }
    }

    int place(int step) {
        return nearest[step];
    }

    /**
     * Orders the answer of an exchange with a LOOKUP.
     *
     * @return whether a place was moved
     */
    boolean order(Exchange exchange) {
        MemorySegment room = exchange.room();
        long answer = exchange.roomOffset();
        long payload = answer + Short.toUnsignedInt(room.get(GnrsWire.SHORT, answer + GnrsWire.PAYLOAD_OFFSET));
        int count = room.get(GnrsWire.INT, payload + GnrsWire.CODE_BYTES);
        if (count < 2 || count > GnrsLimits.ORDERED_BINDINGS_MAX || !wanted.test(exchange)) {
            return false;
        }
        Ranking ranking = rankings.get();
        int source = ranking.source(ranking.place(exchange.peerHigh(), exchange.peerLow()));
        if (source == Ranking.NO_SOURCE) {
            return false;
        }
        long first = payload + GnrsWire.CODE_BYTES + 4;
        if (!rank(ranking, ranking.ranks(source), room, first, count)) {
            return false;
        }
        sort(count);
        move(room, first, count);
        int options = Short.toUnsignedInt(room.get(GnrsWire.SHORT, answer + GnrsWire.OPTIONS_OFFSET));
        if (options != 0) {
            moveTimes(room, answer + options, answer + exchange.responseLength(), count);
        }
        return true;
    }

    /** Ranks the addresses; returns false if they are in order already. */
    private boolean rank(Ranking ranking, char[] ranks, MemorySegment room, long first, int count) {
        char[] ranked = order.ranks();
        int at = 0;
        int last = 0;
        boolean disorder = false;
        for (int i = 0; i < count; i++) {
            starts[i] = at;
            char rank = ranks[place(ranking, room, first + at)];
            disorder |= rank < last;
            last = rank;
            ranked[i] = rank;
            at += GnrsWire.ADDRESS_HEADER_BYTES + Short.toUnsignedInt(room.get(GnrsWire.SHORT, first + at + 2));
        }
        starts[count] = at;
        return disorder;
    }

    private static int place(Ranking ranking, MemorySegment room, long at) {
        int type = Short.toUnsignedInt(room.get(GnrsWire.SHORT, at));
        int length = Short.toUnsignedInt(room.get(GnrsWire.SHORT, at + 2));
        long value = at + GnrsWire.ADDRESS_HEADER_BYTES;
        if (type == Locator.Type.IPV4_UDP.code() && length >= Integer.BYTES) {
            return ranking.placeIpv4(room.get(GnrsWire.INT, value));
        }
        return type == Locator.Type.IPV6_UDP.code() && length >= 2 * Long.BYTES
                ? ranking.place(room.get(GnrsWire.LONG, value), room.get(GnrsWire.LONG, value + Long.BYTES))
                : Ranking.NOWHERE;
    }

    private void move(MemorySegment room, long first, int count) {
        int bytes = starts[count];
        if (bytes > scratch.byteSize()) {
            // Happens once in the life of a worker: longer answers than usual are configured.
            scratch = MemorySegment.ofArray(new byte[GnrsLimits.ANSWER_BYTES_MAX]);
        }
        MemorySegment.copy(room, first, scratch, 0, bytes);
        long at = first;
        for (int i = 0; i < count; i++) {
            int index = nearest[i];
            int length = starts[index + 1] - starts[index];
            MemorySegment.copy(scratch, starts[index], room, at, length);
            at += length;
        }
    }

    /** Moves the columns of times along with the addresses. */
    private void moveTimes(MemorySegment room, long from, long end, int count) {
        long at = from;
        while (at + GnrsWire.OPTION_HEADER_BYTES <= end) {
            int type = room.get(GnrsWire.BYTE, at) & ~GnrsWire.OPTION_LAST & 0xff;
            int length = Byte.toUnsignedInt(room.get(GnrsWire.BYTE, at + 1));
            at += GnrsWire.OPTION_HEADER_BYTES;
            boolean isTimes = type == GnrsOptionType.TTL.code() || type == GnrsOptionType.EXPIRATION.code();
            if (isTimes && length == Long.BYTES * count) {
                for (int i = 0; i < count; i++) {
                    times[i] = room.get(GnrsWire.LONG, at + (long) Long.BYTES * nearest[i]);
                }
                for (int i = 0; i < count; i++) {
                    room.set(GnrsWire.LONG, at + (long) Long.BYTES * i, times[i]);
                }
            }
            at += length;
        }
    }
}
