package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharedCountersTest {
    private enum Count {
        ONE,
        OTHER,
        NEVER
    }

    @Test
    void countsOfAllThreadsAreThere() {
        SharedCounters<Count> counts = new SharedCounters<>(Count.class);
        IntStream.range(0, 10_000).parallel().forEach(i -> counts.add(i % 4 == 0 ? Count.ONE : Count.OTHER));
        assertThat(counts.get(Count.ONE)).isEqualTo(2_500);
        assertThat(counts.get(Count.OTHER)).isEqualTo(7_500);
        assertThat(counts.get(Count.NEVER)).isZero();
    }
}
