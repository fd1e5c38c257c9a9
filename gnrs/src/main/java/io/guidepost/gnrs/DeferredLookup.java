package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsMessageFlyweight;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Exchange;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One LOOKUP that the index could not answer, on its way to the storage engine and back. Pooled; one thread owns it at
 * a time: the worker fills it, an executor thread answers it, the worker sends the response.
 */
final class DeferredLookup implements Runnable {
    private final DeferredLookups home;
    private final RecordReader reader;
    private final LookupHandler lookups;
    private final GnrsMessageFlyweight question = new GnrsMessageFlyweight();
    private final Exchange exchange = new Exchange();
    private boolean here;
    private boolean ordered;
    private boolean failed;

    DeferredLookup(DeferredLookups home, GnrsSettings settings, RecordReader through, @Nullable Supplier<Ranking> rankings) {
        this.home = home;
        this.reader = through;
        // The placer belongs to the worker, which has consulted it before the hand-over.
        this.lookups = new LookupHandler(settings, (segment, offset) -> here);
        if (rankings != null) {
            lookups.nearestFirst(new NearestFirstOrder(rankings, asked -> ordered));
        }
    }

    /** Fills it with copies: the datagram's memory belongs to the worker. */
    void fill(
            GnrsSettings settings, Exchange asked, GnrsMessageFlyweight parsed, boolean placedHere, boolean nearestFirst) {
        lookups.follow(settings);
        byte[] bytes = new byte[parsed.length()];
        MemorySegment.copy(parsed.segment(), GnrsWire.BYTE, parsed.offset(), bytes, 0, bytes.length);
        exchange.request(MemorySegment.ofArray(bytes), 0, bytes.length, asked.nowMillis());
        exchange.addressesOf(asked);
        int roomLength = Math.min(asked.roomLength(), lookups.answerBytesMax(parsed));
        exchange.room(MemorySegment.ofArray(new byte[roomLength]), 0, roomLength);
        here = placedHere;
        ordered = nearestFirst;
    }

    @Override
    public void run() {
        failed = !answer();
        home.completed(this);
    }

    private boolean answer() {
        question.parse(exchange.request(), exchange.requestOffset(), exchange.requestLength());
        reader.enter();
        try {
            int length = lookups.answer(exchange, question, reader);
            if (length != LookupHandler.UNKNOWN) {
                exchange.respond(length);
                return true;
            }
        } catch (RuntimeException engineTrouble) {
            System.getLogger(DeferredLookup.class.getName())
                    .log(System.Logger.Level.DEBUG, "the engine did not answer a look-up", engineTrouble);
        } finally {
            reader.exit();
        }
        exchange.respond(lookups.failed(exchange, question));
        return false;
    }

    Exchange exchange() {
        return exchange;
    }

    GnrsCount outcome() {
        return failed ? GnrsCount.LOOKUPS_ENGINE_FAILED : lookups.outcome();
    }

    /** Returns the other counted events, see {@link AnswerBuilder#events}. */
    long events() {
        return lookups.events();
    }

    void release() {
        exchange.request(MemorySegment.NULL, 0, 0, 0);
        exchange.room(MemorySegment.NULL, 0, 0);
    }
}
