package io.guidepost.dns;

import io.guidepost.base.Counters;
import io.guidepost.dns.wire.DnsFault;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * One request that the index could not answer, on its way to the engine or other servers, and back. Pooled; one thread owns it at a time:
 * the worker fills it, an executor's thread answers it, the worker sends the response.
 */
final class DeferredQuery implements Runnable {
    private final DeferredQueries home;
    private final Executor network;
    private final PlacedReader reader;
    private final DnsResponder responder;
    private final Exchange exchange = new Exchange();

    DeferredQuery(DeferredQueries home, DnsContext context) {
        this.home = home;
        this.network = context.network();
        this.reader = context.reader(true);
        this.responder = context.responder();
    }

    /** Fills it with copies: the datagram's memory belongs to the worker. */
    void fill(Exchange asked) {
        byte[] bytes = new byte[asked.requestLength()];
        MemorySegment.copy(asked.request(), DnsWire.BYTE, asked.requestOffset(), bytes, 0, bytes.length);
        exchange.request(MemorySegment.ofArray(bytes), 0, bytes.length, asked.nowMillis());
        exchange.addressesOf(asked);
        int room = Math.min(asked.roomLength(), DnsLimits.UDP_BYTES_MAX);
        exchange.room(MemorySegment.ofArray(new byte[room]), 0, room);
    }

    /** Answers what the disk can; the threads that read it are not to wait for other servers. */
    @Override
    public void run() {
        responder.begin();
        reader.begin();
        if (!responder.tryAnswer(exchange, reader, false)) {
            if (reader.isElsewhere() && isHandedOver()) {
                return;
            }
            responder.fail(exchange);
        }
        home.completed(this);
    }

    private boolean isHandedOver() {
        try {
            network.execute(() -> {
                responder.answerOrFail(exchange, reader, false);
                home.completed(this);
            });
            return true;
        } catch (RejectedExecutionException closing) {
            return false;
        }
    }

    /** Copies the response into the room of an exchange, with its addresses, and counts it. */
    void respond(Exchange to, Counters<DnsCount> counts, Counters<DnsFault> faults) {
        to.addressesOf(exchange);
        int length = exchange.responseLength();
        MemorySegment.copy(exchange.room(), 0, to.room(), to.roomOffset(), length);
        to.respond(length);
        responder.count(counts, faults);
    }
}
