package io.guidepost.middlebox.nat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The table of mappings against maps of the JDK. */
class MappingsTest {
    private record Inside(int protocol, int address, int port) {}

    private record Mapped(Inside inside, long until) {}

    @Test
    void itHoldsWhatMapsHold() {
        SplittableRandom random = new SplittableRandom(5);
        Mappings mappings = new Mappings(2000, 2499, new SplittableRandom(6));
        Map<Inside, Integer> byInside = new HashMap<>();
        Map<Integer, Mapped> all = new TreeMap<>();
        long now = 0;
        for (int step = 0; step < 200_000; step++) {
            Inside inside = new Inside(random.nextInt(3), random.nextInt(40), 1990 + random.nextInt(30));
            int found = mappings.find(inside.protocol(), inside.address(), inside.port());
            assertThat(found).isEqualTo(byInside.getOrDefault(inside, Mappings.NONE));
            long until = now + random.nextInt(1, 500);
            if (found >= 0) {
                mappings.use(found, 0, until);
                all.put(found, new Mapped(inside, until));
            } else {
                int made = mappings.add(inside.protocol(), inside.address(), inside.port(), until);
                long used = all.values().stream().filter(each -> each.inside().protocol() == inside.protocol()).count();
                assertThat(made == Mappings.NONE).isEqualTo(used == 500);
                if (made != Mappings.NONE) {
                    assertThat(mappings.outsidePort(made)).isBetween(2000, 2499);
                    assertThat(all).doesNotContainKey(made);
                    byInside.put(inside, made);
                    all.put(made, new Mapped(inside, until));
                }
            }
            now += random.nextInt(3);
            if (step % 50 == 0) {
                long time = now;
                int over = (int) all.values().stream().filter(each -> each.until() <= time).count();
                assertThat(mappings.sweep(3 << 16, now)).isEqualTo(over);
                all.values().removeIf(each -> each.until() <= time);
                byInside.values().retainAll(all.keySet());
                assertThat(mappings.count()).isEqualTo(all.size());
            }
        }
        assertThat(all).isNotEmpty();
        all.forEach((mapping, mapped) -> {
            assertThat(mappings.findOutside(mapped.inside().protocol(), mappings.outsidePort(mapping))).isEqualTo(mapping);
            assertThat(mappings.insideAddress(mapping)).isEqualTo(mapped.inside().address());
            assertThat(mappings.insidePort(mapping)).isEqualTo(mapped.inside().port());
        });
    }
}
