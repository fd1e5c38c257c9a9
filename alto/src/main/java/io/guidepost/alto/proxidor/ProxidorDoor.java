package io.guidepost.alto.proxidor;

import io.guidepost.base.Counters;
import io.guidepost.base.Prefix;
import io.guidepost.names.Door;
import io.guidepost.names.Exchange;
import io.guidepost.proximity.ranking.CountingSort;
import io.guidepost.proximity.ranking.Ranking;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Supplier;

/**
 * The Proxidor door of one worker: it answers every request at once, from the snapshot that was in force when its burst
 * began. One pass over the candidates finds their ranks, a counting sort their positions, and a second pass copies them
 * into the response. Nothing is allocated, and there is no lock. (The first request from behind a router has the
 * snapshot compute its ranks.)
 *
 * <p>Why must all lists of a request have one type? The response is one list, of one type. A client that wants IPv4 and
 * IPv6 in one order sends IPv4 in mapped form ({@code ::ffff:a.b.c.d}) in an IPv6 list; it is ranked as IPv4. Widening
 * addresses here would make a response longer than its request. None is, so the server cannot be used for amplification
 * attacks.
 */
public final class ProxidorDoor implements Door {
    private static final ValueLayout.OfInt PLAIN_INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong PLAIN_LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final Supplier<Ranking> rankings;
    private final Supplier<ProxidorSettings> inForce;
    private final ProxidorFlyweight request = new ProxidorFlyweight();
    private final CountingSort order = new CountingSort(ProxidorLimits.LIST_MAX);
    private final Counters<ProxidorCount> counts = new Counters<>(ProxidorCount.class);
    private final Counters<ProxidorFault> faults = new Counters<>(ProxidorFault.class);
    private Ranking ranking = Ranking.EMPTY;

    /** Flags of the response: it tells the client if the source that it named was ignored. */
    private int flags;

    private ProxidorSettings settings;

    /**
     * Creates the door of one worker.
     *
     * @param settings supplies the settings in force, read once per burst
     * @param rankings supplies the snapshot in force, read once per burst
     */
    public ProxidorDoor(Supplier<ProxidorSettings> settings, Supplier<Ranking> rankings) {
        this.rankings = rankings;
        this.inForce = settings;
        this.settings = settings.get();
    }

    /** Returns the counters; any thread may read them. */
    public Counters<ProxidorCount> counts() {
        return counts;
    }

    /** Returns the counters of first faults of invalid requests; any thread may read them. */
    public Counters<ProxidorFault> faults() {
        return faults;
    }

    @Override
    public void begin(long nowMillis) {
        ranking = rankings.get();
        settings = inForce.get();
    }

    @Override
    public void end() {
        // A snapshot is immutable, so there is nothing to release.
    }

    @Override
    public boolean next(Exchange exchange) {
        return false;
    }

    @Override
    public void take(Exchange exchange) {
        flags = ProxidorWire.QR;
        counts.count(ProxidorCount.REQUESTS);
        counts.add(ProxidorCount.BYTES_RECEIVED, exchange.requestLength());
        ProxidorFault fault = request.parse(exchange.request(), exchange.requestOffset(), exchange.requestLength());
        if (fault == ProxidorFault.OK) {
            answer(exchange);
        } else {
            refuse(exchange, fault);
        }
        counts.add(ProxidorCount.BYTES_SENT, exchange.responseLength());
    }

    private void refuse(Exchange exchange, ProxidorFault fault) {
        faults.count(fault);
        if (fault.isAnswered()) {
            say(exchange, fault.rcode());
        } else {
            counts.count(ProxidorCount.DROPS_MALFORMED);
        }
    }

    /** Sends a response of a header alone, which is no longer than any request. */
    private void say(Exchange exchange, ProxidorRcode code) {
        if (exchange.roomLength() < ProxidorWire.HEADER_BYTES) {
            counts.count(ProxidorCount.DROPS_NO_ROOM);
            return;
        }
        counts.count(
                switch (code) {
                    case NO_ERROR -> ProxidorCount.RESPONSES_NO_ERROR;
                    case FORMAT -> ProxidorCount.RESPONSES_FORMAT;
                    case SERVER_FAILURE -> ProxidorCount.RESPONSES_SERVER_FAILURE;
                    case UNKNOWN_SOURCE -> ProxidorCount.RESPONSES_UNKNOWN_SOURCE;
                    case NOT_IMPLEMENTED -> ProxidorCount.RESPONSES_NOT_IMPLEMENTED;
                    case REFUSED -> throw new IllegalArgumentException("never sent: " + code);
                });
        writeHeader(exchange, code);
        exchange.respond(ProxidorWire.HEADER_BYTES);
    }

    private void writeHeader(Exchange exchange, ProxidorRcode code) {
        MemorySegment out = exchange.room();
        long at = exchange.roomOffset();
        out.set(ProxidorWire.LONG, at, ProxidorWire.head(flags | code.code(), request.id()));
        out.set(ProxidorWire.INT, at + ProxidorWire.TTL, settings.ttlSeconds() << Short.SIZE);
    }

    private void answer(Exchange exchange) {
        if (ranking.version() == 0) {
            say(exchange, ProxidorRcode.SERVER_FAILURE);
            return;
        }
        int source = ranking.source(sourcePlace(exchange));
        if (source == Ranking.NO_SOURCE) {
            say(exchange, ProxidorRcode.UNKNOWN_SOURCE);
            return;
        }
        if (exchange.roomLength() < ProxidorWire.LIST + ProxidorWire.PART_BYTES + request.count() * request.type().bytes()) {
            counts.count(ProxidorCount.DROPS_NO_ROOM);
            return;
        }
        lookUp(exchange.request(), ranking.ranks(source));
        int kept = order.sort(request.count(), settings.unknownLast());
        write(exchange, kept);
        counts.count(ProxidorCount.RESPONSES_NO_ERROR);
        counts.add(ProxidorCount.CANDIDATES_KNOWN, request.count() - order.unknown());
        counts.add(ProxidorCount.CANDIDATES_UNKNOWN, order.unknown());
    }

    private int sourcePlace(Exchange exchange) {
        if (request.hasSource()) {
            if (isTrusted(exchange)) {
                counts.count(ProxidorCount.PROXIED_REQUESTS);
                return ranking.place(request.sourceHigh(), request.sourceLow());
            }
            flags |= ProxidorWire.SI;
            counts.count(ProxidorCount.IGNORED_SOURCES);
        }
        return ranking.place(exchange.peerHigh(), exchange.peerLow());
    }

    private boolean isTrusted(Exchange exchange) {
        List<Prefix> trusted = settings.trusted();
        for (int i = 0; i < trusted.size(); i++) {
            if (trusted.get(i).contains(exchange.peerHigh(), exchange.peerLow())) {
                return true;
            }
        }
        return false;
    }

    private void lookUp(MemorySegment in, char[] ranks) {
        int from = 0;
        for (int part = 0; part < request.parts(); part++) {
            int to = from + request.partCount(part);
            if (request.type().isIpv6()) {
                lookUpIpv6(in, request.partAt(part), request.type().bytes(), ranks, from, to);
            } else {
                lookUpIpv4(in, request.partAt(part), request.type().bytes(), ranks, from, to);
            }
            from = to;
        }
    }

    private void lookUpIpv4(MemorySegment in, long list, int bytes, char[] ranks, int from, int to) {
        Ranking by = ranking;
        char[] own = order.ranks();
        long at = list;
        for (int i = from; i < to; i++) {
            own[i] = ranks[by.placeIpv4(in.get(ProxidorWire.INT, at))];
            at += bytes;
        }
    }

    private void lookUpIpv6(MemorySegment in, long list, int bytes, char[] ranks, int from, int to) {
        Ranking by = ranking;
        char[] own = order.ranks();
        long at = list;
        for (int i = from; i < to; i++) {
            own[i] = ranks[by.place(in.get(ProxidorWire.LONG, at), in.get(ProxidorWire.LONG, at + Long.BYTES))];
            at += bytes;
        }
    }

    private void write(Exchange exchange, int kept) {
        writeHeader(exchange, ProxidorRcode.NO_ERROR);
        MemorySegment out = exchange.room();
        long list = exchange.roomOffset() + ProxidorWire.LIST;
        int size = ProxidorWire.PART_BYTES + kept * request.type().bytes();
        out.set(ProxidorWire.INT, list, request.type().code() << 24 | size);
        copy(exchange.request(), out, list + ProxidorWire.PART_BYTES, kept);
        exchange.respond(ProxidorWire.LIST + size);
    }

    private void copy(MemorySegment in, MemorySegment out, long list, int kept) {
        int from = 0;
        for (int part = 0; part < request.parts(); part++) {
            int to = from + request.partCount(part);
            if (request.type() == ProxidorListType.IPV4) {
                copyIpv4(in, request.partAt(part), out, list, from, to, kept);
            } else {
                copy(request.type(), in, request.partAt(part), out, list, from, to, kept);
            }
            from = to;
        }
    }

    /** Copies the commonest list type in a loop of its own: a test of the type would cost as much as the copy. */
    private void copyIpv4(MemorySegment in, long at, MemorySegment out, long list, int from, int to, int kept) {
        char[] positions = order.positions();
        for (int i = from; i < to; i++) {
            int position = positions[i];
            if (position < kept) {
                int address = in.get(PLAIN_INT, at + (long) Integer.BYTES * (i - from));
                out.set(PLAIN_INT, list + (long) Integer.BYTES * position, address);
            }
        }
    }

    @SuppressWarnings("PMD.ExcessiveParameterList") // Two offsets and a range, for the inner loop.
    private void copy(
            ProxidorListType type, MemorySegment in, long at, MemorySegment out, long list, int from, int to, int kept) {
        char[] positions = order.positions();
        int bytes = type.bytes();
        for (int i = from; i < to; i++) {
            int position = positions[i];
            if (position < kept) {
                copy(type, in, at + (long) bytes * (i - from), out, list + (long) bytes * position);
            }
        }
    }

    private static void copy(ProxidorListType type, MemorySegment in, long from, MemorySegment out, long to) {
        if (type.isIpv6()) {
            out.set(PLAIN_LONG, to, in.get(PLAIN_LONG, from));
            out.set(PLAIN_LONG, to + Long.BYTES, in.get(PLAIN_LONG, from + Long.BYTES));
        } else {
            out.set(PLAIN_INT, to, in.get(PLAIN_INT, from));
        }
        if (type.isOfPrefixes()) {
            int last = type.bytes() - 1;
            out.set(ProxidorWire.BYTE, to + last, in.get(ProxidorWire.BYTE, from + last));
        }
    }
}
