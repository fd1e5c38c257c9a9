package io.guidepost.dns;

import io.guidepost.base.Addresses;
import io.guidepost.base.Counters;
import io.guidepost.dns.wire.DnsFault;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Exchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Answers messages that come over connections (RFC 7766), as the door answers datagrams; the client's address is proven. Belongs to
 * one thread at a time.
 */
public final class DnsStreamResponder {
    private final DnsResponder responder;
    private final PlacedReader reader;
    private final Exchange exchange = new Exchange();
    private final MemorySegment room = Arena.ofAuto().allocate(DnsLimits.STREAM_BYTES_MAX, Long.BYTES);
    private final Counters<DnsCount> counts = new Counters<>(DnsCount.class);
    private final Counters<DnsFault> faults = new Counters<>(DnsFault.class);
    private final boolean waits;

    /**
     * Creates one.
     *
     * @param waits whether it may wait for the disk and for other servers
     */
    public DnsStreamResponder(DnsContext context, boolean waits) {
        this.responder = context.responder();
        this.reader = context.reader(waits);
        this.waits = waits;
    }

    /** Returns the counters; any thread may read them. */
    public Counters<DnsCount> counts() {
        return counts;
    }

    /** Returns the counters of first faults of invalid requests; any thread may read them. */
    public Counters<DnsFault> faults() {
        return faults;
    }

    /**
     * Answers a message.
     *
     * @return the response, empty if there is none; null if the index does not know it, and one that waits is to answer
     */
    public byte @Nullable [] answer(byte[] message, InetSocketAddress peer, long nowMillis) {
        responder.begin();
        exchange.request(MemorySegment.ofArray(message), 0, message.length, nowMillis);
        exchange.peer(
                Addresses.high(peer.getAddress()),
                Addresses.low(peer.getAddress()),
                peer.getPort());
        exchange.room(room, 0, DnsLimits.STREAM_BYTES_MAX);
        reader.begin();
        if (waits) {
            responder.answerOrFail(exchange, reader, true);
        } else if (!responder.tryAnswer(exchange, reader, true)) {
            counts.count(reader.isElsewhere() ? DnsCount.LOOKUP_WAITS_SERVERS : DnsCount.LOOKUP_WAITS_ENGINE);
            return null;
        }
        counts.count(DnsCount.REQUESTS_TCP);
        counts.add(DnsCount.BYTES_RECEIVED, message.length);
        counts.add(DnsCount.BYTES_SENT, exchange.responseLength());
        responder.count(counts, faults);
        return room.asSlice(0, exchange.responseLength()).toArray(DnsWire.BYTE);
    }
}
