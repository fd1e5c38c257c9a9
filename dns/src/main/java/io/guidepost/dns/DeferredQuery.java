package io.guidepost.dns;

import io.guidepost.base.Counters;
import io.guidepost.names.Exchange;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;

/**
 * One request that the index could not answer, on its way to the storage engine and back. Pooled; one thread owns it at a time:
 * the worker fills it, an executor's thread answers it, the worker sends the response.
 */
final class DeferredQuery implements Runnable {
    private final DeferredQueries home;
    private final RecordReader reader;
    private final DnsResponder responder;
    private final Exchange exchange = new Exchange();

    DeferredQuery(DeferredQueries home, RecordReader through, DnsResponder responder) {
        this.home = home;
        this.reader = through;
        this.responder = responder;
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

    @Override
    public void run() {
        responder.begin();
        reader.enter();
        try {
            if (!responder.answer(exchange, reader, false)) {
                responder.fail(exchange);
            }
        } catch (RuntimeException engineTrouble) {
            System.getLogger(DeferredQuery.class.getName())
                    .log(System.Logger.Level.DEBUG, "the engine did not answer a look-up", engineTrouble);
            responder.fail(exchange);
        } finally {
            reader.exit();
        }
        home.completed(this);
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
