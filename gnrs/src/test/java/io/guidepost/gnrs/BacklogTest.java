package io.guidepost.gnrs;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BacklogTest {
    private record Waiting(byte[] bytes, long peer) {}

    /** Messages of all lengths go in and come out as out of a queue; it is full only when bytes or places are short. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isAQueueOfBytes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Backlog backlog = new Backlog();
        Queue<Waiting> model = new ArrayDeque<>();
        Exchange exchange = new Exchange();
        int lengthMax = 1 << 4 + random.nextInt(13);
        int refused = 0;
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(1000) < 300 + 500 * (step / 4000 % 2)) {
                byte[] bytes = new byte[1 + random.nextInt(lengthMax)];
                random.nextBytes(bytes);
                exchange.question(MemorySegment.ofArray(bytes), 0, bytes.length, 0);
                exchange.peer(step, ~step, step & 0xffff);
                boolean taken = backlog.add(exchange, 0, bytes.length);
                int waiting = model.stream().mapToInt(each -> each.bytes.length).sum();
                if (taken) {
                    // What was copied must not change with what it was copied from.
                    model.add(new Waiting(bytes.clone(), step));
                    Arrays.fill(bytes, (byte) 0);
                } else {
                    refused++;
                    assertThat(model.size() == GnrsLimits.BACKLOG_MESSAGES_MAX
                                    || waiting + 2 * lengthMax > GnrsLimits.BACKLOG_BYTES_MAX)
                            .as("seed %d: refused with %d bytes in %d messages", seed, waiting, model.size())
                            .isTrue();
                }
            } else {
                Waiting first = model.poll();
                assertThat(backlog.next(exchange, step)).isEqualTo(first != null);
                if (first != null) {
                    assertThat(exchange.question()
                                    .asSlice(exchange.questionOffset(), exchange.questionLength())
                                    .toArray(ValueLayout.JAVA_BYTE))
                            .as("seed %d", seed)
                            .isEqualTo(first.bytes);
                    assertThat(exchange.peerHigh()).isEqualTo(first.peer);
                    assertThat(exchange.peerLow()).isEqualTo(~first.peer);
                }
            }
            assertThat(backlog.isEmpty()).isEqualTo(model.isEmpty());
        }
        assertThat(refused).isPositive();
    }
}
