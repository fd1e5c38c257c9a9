package io.guidepost.gnrs.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.GnrsDoorStand;
import io.guidepost.gnrs.GnrsDoorTest;
import io.guidepost.names.Binding;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long the handler itself takes for a look-up among 100,000 records: printed, not asserted. */
@Tag("long")
class LookupSpeedTest {
    private static final int RECORDS = 100_000;
    private static final int QUESTIONS = 1 << 14;
    private static final int SLOT = 128;
    private static final int ROUNDS = 10;

    @Test
    void lookupsOfFoundRecords() throws IOException {
        try (EmbeddedStore store = EmbeddedStore.open(StoreOptions.inMemory())) {
            for (int i = 0; i < RECORDS; i++) {
                Binding binding = Binding.of(GnrsDoorTest.place("10.0.0.1", i & 0xffff));
                store.put(new Record(Name.of(name(i)), 0, List.of(binding), List.of()), 0);
            }
            run(new GnrsDoorStand(GnrsDoorStand.open(), store, () -> {}));
        }
    }

    private static void run(GnrsDoorStand stand) {
        SplittableRandom random = new SplittableRandom(5);
        MemorySegment in = Arena.global().allocate((long) SLOT * QUESTIONS, 64);
        MemorySegment out = Arena.global().allocate(2048, 64);
        int length = 0;
        for (int i = 0; i < QUESTIONS; i++) {
            GnrsMessage.Lookup question = new GnrsMessage.Lookup(
                    i,
                    GnrsDoorTest.place("192.0.2.1", 4001),
                    name(random.nextInt(RECORDS)),
                    List.of(GnrsOption.recursion(true)));
            length = question.write(in, (long) SLOT * i);
        }
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            long answered = 0;
            for (int pass = 0; pass < 64; pass++) {
                answered += burst(stand, in, out, length);
            }
            long nanos = System.nanoTime() - start;
            assertThat(answered).isEqualTo(64L * QUESTIONS * (16 + 6 + 8 + 10 + 20));
            System.out.printf("lookup: %.1f ns%n", (double) nanos / (64L * QUESTIONS));
        }
    }

    private static long burst(GnrsDoorStand stand, MemorySegment in, MemorySegment out, int length) {
        Exchange exchange = new Exchange();
        long answered = 0;
        for (int i = 0; i < QUESTIONS; i++) {
            if ((i & 63) == 0) {
                stand.door.begin(stand.now);
            }
            exchange.request(in, (long) SLOT * i, length, stand.now);
            exchange.peer(GnrsDoorStand.CLIENT.high(), GnrsDoorStand.CLIENT.low(), 4001);
            exchange.local(stand.local.high(), stand.local.low(), 5001);
            exchange.room(out, 0, 2048);
            stand.door.take(exchange);
            answered += exchange.responseLength();
            if ((i & 63) == 63) {
                stand.door.end();
            }
        }
        return answered;
    }

    private static Guid name(int number) {
        return new Guid(number * 0x9e3779b97f4a7c15L, number, number);
    }
}
