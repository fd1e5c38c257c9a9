package io.guidepost.gnrs;

import static io.guidepost.gnrs.GnrsDoorStand.LOOPBACK;
import static io.guidepost.gnrs.GnrsDoorTest.insert;
import static io.guidepost.gnrs.GnrsDoorTest.lookup;
import static io.guidepost.gnrs.GnrsDoorTest.place;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Binding;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.proximity.ranking.Ranking;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A look-up allocates nothing, whichever way it is answered. */
class GnrsAllocationTest {
    private static final int LOOKUPS = 100_000;

    /** On a busy machine the compiler comes late. */
    private static final int TRIES = 20;

    private static final GnrsDoorStand.Peer NEAR = GnrsDoorStand.Peer.of("10.0.1.200", 5);

    private final GnrsDoorStand stand = new GnrsDoorStand();

    private void fill() {
        Guid far = Guid.ofAscii("far");
        stand.one(LOOPBACK, insert(Guid.ofAscii("plain"), Binding.of(place("10.0.0.1", 1))));
        stand.one(LOOPBACK, insert(far, Binding.of(place("10.0.0.2", 2)), Binding.of(Locator.of(Guid.ofAscii("loop")))));
        stand.one(LOOPBACK, insert(Guid.ofAscii("loop"), Binding.of(Locator.of(far)), Binding.of(place("::1", 1))));
        stand.one(LOOPBACK, insert(Guid.ofAscii("ending"), new Binding(place("10.0.0.3", 3), 9000, stand.now + 5000)));
        Binding[] many = IntStream.range(0, 90)
                .mapToObj(i -> Binding.of(place("10.0." + (1 + i % 4) + "." + i, 3)))
                .toArray(Binding[]::new);
        stand.one(LOOPBACK, insert(Guid.ofAscii("many"), many));
    }

    @Test
    void lookupsAllocateNothing() {
        lookUpAll();
    }

    @Test
    void norDoesTheirOrder() {
        Ranking ranking = NearestFirstOrderTest.line();
        stand.door.nearestFirst(() -> ranking);
        lookUpAll();
        assertThat(stand.count(GnrsCount.ORDERED_RESPONSES)).isPositive();
    }

    private void lookUpAll() {
        fill();
        byte[][] questions = {
            lookup(Guid.ofAscii("plain")).write(),
            lookup(Guid.ofAscii("nobody")).write(),
            lookup(Guid.ofAscii("far"), GnrsOption.recursion(true)).write(),
            lookup(Guid.ofAscii("ending")).write(),
            lookup(Guid.ofAscii("loop")).write(),
            lookup(Guid.ofAscii("many")).write(),
            new byte[] {1, 2, 3},
            GnrsVectors.bytes(GnrsVectors.V8),
            GnrsDoorTest.concat(lookup(Guid.ofAscii("plain")).write(), lookup(Guid.ofAscii("far")).write()),
        };
        for (byte[] question : questions) {
            ask(question);
            var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            long thread = Thread.currentThread().threadId();
            long least = Long.MAX_VALUE;
            // The code may be compiled on the way, which costs a little once; one byte a look-up would be 100,000 each time.
            for (int i = 0; i < TRIES && least >= LOOKUPS / 10; i++) {
                long before = threads.getThreadAllocatedBytes(thread);
                ask(question);
                least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
            }
            assertThat(least)
                    .as(java.util.HexFormat.of().formatHex(question))
                    .isLessThan(LOOKUPS / 10);
        }
        assertThat(stand.count(GnrsCount.LOOKUPS_FOUND)).isPositive();
        assertThat(stand.count(GnrsCount.ALIAS_CHAINS_CUT_LOOP)).isPositive();
        assertThat(stand.count(GnrsCount.PARTIAL_RESPONSES)).isPositive();
    }

    private void ask(byte[] question) {
        Exchange exchange = new Exchange();
        MemorySegment in = Arena.ofAuto().allocate(2048);
        MemorySegment out = Arena.ofAuto().allocate(2048);
        MemorySegment.copy(question, 0, in, GnrsWire.BYTE, 0, question.length);
        for (int i = 0; i < LOOKUPS; i++) {
            stand.door.begin(stand.now);
            exchange.request(in, 0, question.length, stand.now);
            exchange.peer(NEAR.high(), NEAR.low(), 5);
            exchange.room(out, 0, 2048);
            stand.door.take(exchange);
            while (stand.door.next(exchange)) {
                exchange.room(out, 0, 2048);
            }
            stand.door.end();
        }
    }
}
