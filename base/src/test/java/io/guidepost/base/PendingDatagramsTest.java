package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PendingDatagramsTest {
    private static final int DATAGRAMS_MAX = 1024;
    private static final int BYTES_MAX = 1 << 18;

    private record Waiting(byte[] bytes, long peer) {}

    /** Messages of all lengths go in and come out as out of a queue; it is full only when bytes or places are short. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isAQueueOfBytes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PendingDatagrams pending = new PendingDatagrams(DATAGRAMS_MAX, BYTES_MAX);
        Queue<Waiting> model = new ArrayDeque<>();
        int lengthMax = 1 << 4 + random.nextInt(13);
        int refused = 0;
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(1000) < 300 + 500 * (step / 4000 % 2)) {
                byte[] bytes = new byte[1 + random.nextInt(lengthMax)];
                random.nextBytes(bytes);
                boolean taken = pending.add(MemorySegment.ofArray(bytes), 0, bytes.length);
                int waiting = model.stream().mapToInt(each -> each.bytes.length).sum();
                if (taken) {
                    pending.address(step, ~step, step & 0xffff, step + 1, step + 2, step + 3);
                    // What was copied must not change with what it was copied from.
                    model.add(new Waiting(bytes.clone(), step));
                    Arrays.fill(bytes, (byte) 0);
                } else {
                    refused++;
                    assertThat(model.size() == DATAGRAMS_MAX
                                    || waiting + 2 * lengthMax > BYTES_MAX)
                            .as("seed %d: refused with %d bytes in %d messages", seed, waiting, model.size())
                            .isTrue();
                }
            } else {
                Waiting first = model.poll();
                assertThat(pending.isEmpty()).isEqualTo(first == null);
                if (first != null) {
                    assertThat(pending.segment()
                                    .asSlice(pending.offset(), pending.length())
                                    .toArray(ValueLayout.JAVA_BYTE))
                            .as("seed %d", seed)
                            .isEqualTo(first.bytes);
                    assertThat(pending.peerHigh()).isEqualTo(first.peer);
                    assertThat(pending.peerLow()).isEqualTo(~first.peer);
                    assertThat(pending.peerPort()).isEqualTo((int) first.peer & 0xffff);
                    assertThat(pending.localHigh()).isEqualTo(first.peer + 1);
                    assertThat(pending.localLow()).isEqualTo(first.peer + 2);
                    assertThat(pending.localPort()).isEqualTo((int) first.peer + 3);
                    pending.remove();
                }
            }
            assertThat(pending.isEmpty()).isEqualTo(model.isEmpty());
        }
        assertThat(refused).isPositive();
    }
}
