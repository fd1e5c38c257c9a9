package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountersTest {
    private enum Fruit {
        APPLE,
        PEAR
    }

    @Test
    void eachNameHasItsOwnCount() {
        Counters<Fruit> counters = new Counters<>(Fruit.class);
        counters.count(Fruit.APPLE);
        counters.add(Fruit.PEAR, 41);
        counters.count(Fruit.PEAR);
        assertThat(counters.get(Fruit.APPLE)).isEqualTo(1);
        assertThat(counters.get(Fruit.PEAR)).isEqualTo(42);
        assertThat(counters.names()).containsExactly(Fruit.APPLE, Fruit.PEAR);
    }

    @Test
    void anotherThreadSeesCountsGrowAndNeverShrink() throws InterruptedException {
        Counters<Fruit> counters = new Counters<>(Fruit.class);
        long target = 1_000_000;
        Thread owner = Thread.ofPlatform().start(() -> {
            for (long i = 0; i < target; i++) {
                counters.count(Fruit.APPLE);
            }
        });
        long last = 0;
        while (last < target) {
            long seen = counters.get(Fruit.APPLE);
            assertThat(seen).isBetween(last, target);
            last = seen;
        }
        owner.join();
    }
}
