package io.guidepost.middlebox.nat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The table of mappings against maps of the JDK. */
class NatTableTest {
    private record Inside(int protocol, int address, int port) {}

    private static final int HOST_MAX = 25;

    private record Mapped(Inside inside, long until) {}

    @Test
    void itHoldsWhatMapsHold() {
        SplittableRandom random = new SplittableRandom(5);
        NatTable mappings = new NatTable(2000, 2499, HOST_MAX, new SplittableRandom(6));
        Map<Inside, Integer> byInside = new HashMap<>();
        Map<Integer, Mapped> all = new TreeMap<>();
        long now = 0;
        int full = 0;
        for (int step = 0; step < 20_000; step++) {
            Inside inside = new Inside(random.nextInt(3), random.nextInt(60), 1990 + random.nextInt(30));
            int found = mappings.find(inside.protocol(), inside.address(), inside.port());
            assertThat(found).isEqualTo(byInside.getOrDefault(inside, NatTable.NONE));
            long until = now + random.nextInt(1, 5000);
            if (found >= 0) {
                mappings.use(found, 0, until);
                all.put(found, new Mapped(inside, until));
            } else {
                int made = mappings.add(inside.protocol(), inside.address(), inside.port(), until);
                long used = all.values().stream().filter(each -> each.inside().protocol() == inside.protocol()).count();
                long own = all.values().stream().filter(each -> each.inside().address() == inside.address()).count();
                assertThat(made == NatTable.NONE).isEqualTo(used == 500);
                assertThat(made == NatTable.HOST_FULL).isEqualTo(used < 500 && own == HOST_MAX);
                full += made == NatTable.HOST_FULL ? 1 : 0;
                if (made >= 0) {
                    assertThat(NatTable.outsidePort(made)).isBetween(2000, 2499);
                    assertThat(all).doesNotContainKey(made);
                    byInside.put(inside, made);
                    all.put(made, new Mapped(inside, until));
                }
            }
            now += random.nextInt(3);
            if (step % 100 == 0) {
                long time = now;
                int over = (int) all.values().stream().filter(each -> each.until() <= time).count();
                assertThat(mappings.sweep(3 << 16, now)).isEqualTo(over);
                all.values().removeIf(each -> each.until() <= time);
                byInside.values().retainAll(all.keySet());
                assertThat(mappings.count()).isEqualTo(all.size());
            }
        }
        assertThat(all).isNotEmpty();
        assertThat(full).as("hosts with all that they may have").isPositive();
        all.forEach((mapping, mapped) -> {
            long holder = mappings.holder(NatTable.outside(mapped.inside().protocol(), NatTable.outsidePort(mapping)));
            assertThat(NatTable.address(holder)).isEqualTo(mapped.inside().address());
            assertThat(NatTable.port(holder)).isEqualTo(mapped.inside().port());
        });
    }

    @Test
    void threadsThatMakeFindAndEndMappingsNeverMixThem() throws Exception {
        NatTable mappings = new NatTable(2000, 2063, 100, new SplittableRandom(6));
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Callable<Integer>> tasks = IntStream.range(0, 3).<Callable<Integer>>mapToObj(seed -> () -> {
                SplittableRandom random = new SplittableRandom(seed);
                int found = 0;
                for (int i = 0; i < 100_000; i++) {
                    // A hundred hosts for 64 ports, each with the port of its number.
                    int host = random.nextInt(100);
                    int mapping = mappings.find(NatTable.UDP, host, host);
                    if (mapping == NatTable.NONE) {
                        synchronized (mappings) {
                            mapping = mappings.find(NatTable.UDP, host, host);
                            mapping = mapping == NatTable.NONE ? mappings.add(NatTable.UDP, host, host, i + 100) : mapping;
                        }
                    } else {
                        found++;
                    }
                    if (mapping != NatTable.NONE) {
                        long holder = mappings.holder(NatTable.outside(NatTable.UDP, NatTable.outsidePort(mapping)));
                        // It may have ended meanwhile, but who has the port then is somebody whole.
                        assertThat(NatTable.address(holder)).isEqualTo(NatTable.port(holder));
                    }
                    mappings.sweep(3 << 16 >> 8, i);
                }
                return found;
            }).toList();
            for (Future<Integer> each : threads.invokeAll(tasks)) {
                assertThat(each.get()).isPositive();
            }
        }
        mappings.sweep(3 << 16, Long.MAX_VALUE);
        assertThat(mappings.count()).isZero();
        for (int host = 0; host < 100; host++) {
            assertThat(mappings.find(NatTable.UDP, host, host)).isEqualTo(NatTable.NONE);
        }
    }
}
