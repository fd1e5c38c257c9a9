package io.guidepost.handle.door;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.handle.message.MessageFragmenter;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.names.Exchange;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Questions that are answered at once allocate nothing. */
class HandleDoorAllocationTest {
    private static final int QUESTIONS = 100_000;

    /** On a busy machine the compiler comes late. */
    private static final int TRIES = 20;

    @Test
    void questionsAllocateNothing() throws IOException {
        try (HandleDoorStand stand =
                new HandleDoorStand(HandleDoorTest.SITE, new HandleDoorSettings(false, 1, 1L << 40), settings -> settings)) {
            HandleDoorTest.fill(stand);
            Map<String, byte[]> questions = Map.of(
                    "found", HandleDoorTest.question("10.5/one", List.of(), List.of(), OpFlag.PUBL),
                    "in packets", HandleDoorTest.question("10.5/big", List.of(), List.of(), OpFlag.PUBL),
                    "some", HandleDoorTest.question("10.5/one", List.of(2), List.of("url."), OpFlag.PUBL),
                    "no values", HandleDoorTest.question("10.5/secret", List.of(), List.of(), OpFlag.PUBL),
                    "no handle", HandleDoorTest.question("10.5/nobody", List.of(), List.of(), OpFlag.PUBL),
                    "elsewhere", HandleDoorTest.question("10.9/nobody", List.of(), List.of(), OpFlag.PUBL));
            Map<String, Integer> rounds = new HashMap<>();
            questions.forEach((name, question) -> rounds.put(name, roundsUntilFree(name, stand, question)));
            ToLongFunction<String> asked = each -> (long) QUESTIONS * requireNonNull(rounds.get(each), each);
            assertThat(stand.tasks).isEmpty();
            assertThat(stand.count(HandleCount.RESPONSES_INDEX_SUCCESS))
                    .isEqualTo(asked.applyAsLong("found") + asked.applyAsLong("in packets") + asked.applyAsLong("some"));
            assertThat(stand.count(HandleCount.FRAGMENTED_RESPONSES)).isEqualTo(asked.applyAsLong("in packets"));
        }
    }

    /** Asks a question until a round allocates nothing, and returns how many it took; fails if none does. */
    private static int roundsUntilFree(String name, HandleDoorStand stand, byte[] question) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        ask(stand, question);
        int rounds = 1;
        long least = Long.MAX_VALUE;
        // The code may be compiled on the way, which costs a little once; a byte a question would be 100,000 each time.
        while (rounds <= TRIES && least >= QUESTIONS / 10) {
            long before = threads.getThreadAllocatedBytes(thread);
            ask(stand, question);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
            rounds++;
        }
        assertThat(least).as(name).isLessThan(QUESTIONS / 10);
        return rounds;
    }

    private static void ask(HandleDoorStand stand, byte[] question) {
        Exchange exchange = new Exchange();
        MemorySegment in = Arena.ofAuto().allocate(2048, 8);
        MemorySegment out = Arena.ofAuto().allocate(MessageFragmenter.BYTES_MAX, 8);
        MemorySegment.copy(question, 0, in, ValueLayout.JAVA_BYTE, 0, question.length);
        for (int i = 0; i < QUESTIONS; i++) {
            stand.door.begin(stand.now);
            exchange.request(in, 0, question.length, stand.now);
            exchange.peer(Addresses.IPV4_HIGH, Addresses.ipv4Low(0x0a000001), 5);
            exchange.room(out, 0, MessageFragmenter.BYTES_MAX);
            stand.door.take(exchange);
            exchange.room(out, 0, MessageFragmenter.BYTES_MAX);
            while (stand.door.next(exchange)) {
                exchange.room(out, 0, MessageFragmenter.BYTES_MAX);
            }
            stand.door.end();
        }
    }
}
