package io.guidepost.dns;

import io.guidepost.base.Counters;
import io.guidepost.dns.wire.DnsCookies;
import io.guidepost.dns.wire.DnsFault;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsQueryFlyweight;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Exchange;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.store.RecordReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers one request out of the records that a reader finds. How it ended is kept, for {@link #count}. Belongs to one thread.
 */
final class DnsResponder {
    private static final System.Logger LOG = System.getLogger(DnsResponder.class.getName());
    private static final int RCODE = 0xf;

    private final Supplier<DnsSettings> inForce;
    private final DnsQueryFlyweight query = new DnsQueryFlyweight();
    private final DnsResponseWriter reply = new DnsResponseWriter();
    private final EdnsWriter edns;
    private final ZoneLookup zone;
    private DnsSettings settings;
    private DnsFault fault = DnsFault.OK;
    private DnsCount outcome = DnsCount.RESPONSES_NO_ERROR;
    private int rcode;
    private boolean proven;
    private boolean amplified;
    private boolean truncated;

    /**
     * Creates one.
     *
     * @param settings supplies the settings in force
     * @param serials supplies the zone's serial
     * @param cookies of this server
     * @param rankings supplies the ranking in force; null = places are not put in order
     * @param nonTerminals the names above others
     */
    DnsResponder(
            Supplier<DnsSettings> settings,
            IntSupplier serials,
            DnsCookies cookies,
            @Nullable Supplier<Ranking> rankings,
            EmptyNonTerminals nonTerminals) {
        this.inForce = settings;
        this.settings = settings.get();
        this.edns = new EdnsWriter(cookies);
        this.edns.follow(this.settings);
        this.zone = new ZoneLookup(query, reply, this.settings, serials, rankings, nonTerminals);
    }

    /** Follows the settings in force; called before each burst. */
    @SuppressWarnings("ReferenceEquality") // A reload replaces them whole, and a burst must not compare lists.
    void begin() {
        DnsSettings next = inForce.get();
        if (next != settings) {
            settings = next;
            edns.follow(next);
            zone.follow(next);
        }
    }

    /**
     * Prefetches the record that {@link #answer} will need; see {@link RecordReader#prefetch}.
     *
     * @param keys has room for a GUID that stays until then
     */
    void prefetch(MemorySegment segment, long offset, int length, RecordReader reader, MemorySegment keys, long keyAt) {
        if (query.parseQuestion(segment, offset, length) == DnsFault.OK) {
            zone.prefetch(reader, keys, keyAt);
        }
    }

    /**
     * Writes the response into the exchange's room.
     *
     * @param stream whether the request came over TCP
     * @return false if the reader does not know a record; nothing was answered
     */
    boolean answer(Exchange exchange, RecordReader reader, boolean stream) {
        truncated = false;
        exchange.respond(0);
        fault = query.parse(exchange.request(), exchange.requestOffset(), exchange.requestLength());
        if (!fault.isAnswered()) {
            outcome = DnsCount.DROPS_MALFORMED;
            return true;
        }
        boolean extended = fault == DnsFault.OK && query.extended();
        proven = extended && edns.isProven(query, exchange);
        int taken = Math.min(stream ? DnsLimits.STREAM_BYTES_MAX : udpBytes(extended), exchange.roomLength());
        amplified = !stream && !proven && taken > DnsLimits.AMPLIFICATION_MAX * query.length();
        int bytesMax = amplified ? DnsLimits.AMPLIFICATION_MAX * query.length() : taken;
        int optBytes = extended ? edns.bytes(query, bytesMax - query.questionEnd()) : 0;
        if (query.questionEnd() + optBytes > bytesMax) {
            outcome = DnsCount.DROPS_NO_ROOM;
            return true;
        }
        reply.begin(exchange, query, bytesMax - optBytes);
        if (fault != DnsFault.OK) {
            rcode = fault.rcode();
        } else if (query.version() != 0) {
            rcode = DnsWire.BAD_VERSION;
        } else if (query.queryClass() != DnsWire.IN && query.queryClass() != DnsWire.CLASS_ANY) {
            rcode = DnsWire.REFUSED;
        } else if (zone.answer(exchange, reader)) {
            rcode = zone.rcode();
            truncated = zone.truncated();
        } else {
            return false;
        }
        finish(exchange, optBytes);
        return true;
    }

    /** Does as {@link #answer}, in a burst of its own; false as well if the disk cannot be read. */
    boolean tryAnswer(Exchange exchange, PlacedReader reader, boolean stream) {
        reader.enter();
        try {
            return answer(exchange, reader, stream);
        } catch (RuntimeException engineTrouble) {
            LOG.log(System.Logger.Level.DEBUG, "the engine did not answer a look-up", engineTrouble);
            return false;
        } finally {
            reader.exit();
        }
    }

    /** Answers, SERVFAIL if it must be; waits for the disk, if the reader does, and for other servers. */
    void answerOrFail(Exchange exchange, PlacedReader reader, boolean stream) {
        try {
            while (!tryAnswer(exchange, reader, stream)) {
                if (!reader.fetch()) {
                    fail(exchange);
                    return;
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "other servers did not answer a look-up", e);
            fail(exchange);
        }
    }

    /** Answers SERVFAIL to the request that {@link #answer} did not answer. */
    void fail(Exchange exchange) {
        rcode = DnsWire.SERVER_FAILURE;
        reply.clear();
        finish(exchange, 0);
    }

    private int udpBytes(boolean extended) {
        return extended
                ? Math.max(DnsLimits.PLAIN_BYTES_MAX, Math.min(query.udpBytes(), DnsLimits.UDP_BYTES_MAX))
                : DnsLimits.PLAIN_BYTES_MAX;
    }

    private void finish(Exchange exchange, int optBytes) {
        if (truncated) {
            reply.clear();
        }
        outcome = switch (rcode) {
            case DnsWire.NO_ERROR -> reply.hasAnswers() || truncated ? DnsCount.RESPONSES_NO_ERROR : DnsCount.RESPONSES_NO_DATA;
            case DnsWire.FORMAT_ERROR -> DnsCount.RESPONSES_FORMAT_ERROR;
            case DnsWire.SERVER_FAILURE -> DnsCount.RESPONSES_SERVER_FAILURE;
            case DnsWire.NX_DOMAIN -> DnsCount.RESPONSES_NX_DOMAIN;
            case DnsWire.NOT_IMPLEMENTED -> DnsCount.RESPONSES_NOT_IMPLEMENTED;
            case DnsWire.REFUSED -> DnsCount.RESPONSES_REFUSED;
            default -> DnsCount.RESPONSES_BAD_VERSION;
        };
        if (optBytes > 0) {
            edns.write(query, exchange, optBytes, rcode, zone.ordered(), reply.out(), reply.position());
        }
        boolean authoritative = rcode == DnsWire.NO_ERROR || rcode == DnsWire.NX_DOMAIN;
        int flags = DnsWire.QR | query.flags() & (DnsWire.OPCODE | DnsWire.RD | DnsWire.CD)
                | (authoritative ? DnsWire.AA : 0) | (truncated ? DnsWire.TC : 0) | rcode & RCODE;
        exchange.respond(reply.finish(flags, optBytes));
    }

    /** Counts how the last request ended. */
    void count(Counters<DnsCount> counts, Counters<DnsFault> faults) {
        counts.count(outcome);
        if (fault != DnsFault.OK) {
            faults.count(fault);
        }
        if (truncated) {
            counts.count(amplified ? DnsCount.TRUNCATED_RESPONSES_AMPLIFICATION : DnsCount.TRUNCATED_RESPONSES_SIZE);
        }
        if (fault == DnsFault.OK && zone.ordered()) {
            counts.count(DnsCount.ORDERED_RESPONSES);
        }
        if (fault == DnsFault.OK && query.hasSubnet()) {
            counts.count(DnsCount.CLIENT_SUBNETS);
        }
        if (proven) {
            counts.count(DnsCount.PROVEN_REQUESTS);
        }
    }
}
