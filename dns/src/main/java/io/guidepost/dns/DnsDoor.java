package io.guidepost.dns;

import io.guidepost.base.Counters;
import io.guidepost.base.DatagramClassifier;
import io.guidepost.dns.wire.DnsFault;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.names.Door;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The DNS door of one worker: the names of a zone over UDP. A request is answered at once, out of the index; one that the index
 * cannot answer goes to an executor, which reads the engine or asks other servers, and its response comes through {@link #next}.
 *
 * <p>Amplification bound: a response is no longer than three times the request, or has TC and no records, unless the request's
 * cookie proves its address. Resolvers then ask over TCP, or again with the cookie that came with the response.
 */
public final class DnsDoor implements Door {
    /** Bytes from key to key: a GUID, and the next begins at a word. */
    private static final long KEY_BYTES = Guid.BYTES + Integer.BYTES;

    private final DnsResponder responder;
    private final PlacedReader reader;
    private final DeferredQueries deferred;
    private final DatagramClassifier classifier = new DnsClassifier();
    private final MemorySegment keys = Arena.ofAuto().allocate(DnsLimits.PREFETCH_MAX * KEY_BYTES, Long.BYTES);
    private final Counters<DnsCount> counts = new Counters<>(DnsCount.class);
    private final Counters<DnsFault> faults = new Counters<>(DnsFault.class);
    private int prefetched;

    /**
     * Creates the door of one worker.
     *
     * @param context what it shares with others
     * @param wake called by other threads when {@link #next} has a response; must be cheap
     */
    public DnsDoor(DnsContext context, Runnable wake) {
        this.responder = context.responder();
        this.reader = context.reader(false);
        this.deferred = new DeferredQueries(context, wake);
    }

    /** Returns the counters; any thread may read them. */
    public Counters<DnsCount> counts() {
        return counts;
    }

    /** Returns the counters of first faults of invalid requests; any thread may read them. */
    public Counters<DnsFault> faults() {
        return faults;
    }

    @Override
    public DatagramClassifier classifier() {
        return classifier;
    }

    @Override
    public void begin(long nowMillis) {
        prefetched = 0;
        responder.begin();
        reader.enter();
    }

    @Override
    public void end() {
        reader.exit();
    }

    @Override
    public void prefetch(MemorySegment segment, long offset, int length) {
        if (prefetched < DnsLimits.PREFETCH_MAX) {
            responder.prefetch(segment, offset, length, reader, keys, prefetched++ * KEY_BYTES);
        }
    }

    @Override
    public void take(Exchange exchange) {
        counts.count(DnsCount.REQUESTS_UDP);
        counts.add(DnsCount.BYTES_RECEIVED, exchange.requestLength());
        reader.begin();
        if (!responder.answer(exchange, reader, false)) {
            if (deferred.submit(exchange)) {
                counts.count(reader.isElsewhere() ? DnsCount.LOOKUP_WAITS_SERVERS : DnsCount.LOOKUP_WAITS_ENGINE);
                return;
            }
            counts.count(DnsCount.LOOKUP_WAITS_REFUSED);
            responder.fail(exchange);
        }
        responder.count(counts, faults);
        counts.add(DnsCount.BYTES_SENT, exchange.responseLength());
    }

    @Override
    public boolean next(Exchange exchange) {
        if (exchange.roomLength() < DnsLimits.UDP_BYTES_MAX) {
            return false;
        }
        DeferredQuery answered = deferred.next();
        if (answered == null) {
            return false;
        }
        answered.respond(exchange, counts, faults);
        deferred.recycle(answered);
        counts.add(DnsCount.BYTES_SENT, exchange.responseLength());
        return true;
    }
}
