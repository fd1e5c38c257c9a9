package io.guidepost.scaffold.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.segment.FlowTuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FlowTableTest {
    private static final Guid OBJECT = Guid.ofAscii("object");

    private static FlowTuple tuple(int number) {
        return new FlowTuple(0, 1, 0, 2 + number % 7, number << 16 | 80, 6);
    }

    /** Against two maps of the JDK, with few numbers so that many fall together. */
    @Test
    void findsWhatIsThereAndNothingElse() {
        for (int seed = 0; seed < 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            FlowTable table = new FlowTable(700);
            Map<Long, CarriedFlow> byId = new HashMap<>();
            Map<FlowTuple, CarriedFlow> byTuple = new HashMap<>();
            for (int i = 0; i < 4_000; i++) {
                long id = random.nextInt(1_500);
                FlowTuple tuple = tuple(random.nextInt(1_500));
                if (random.nextInt(3) > 0) {
                    CarriedFlow flow = new CarriedFlow(id, tuple, OBJECT, true);
                    boolean free = byId.size() < 700 && !byId.containsKey(id) && !byTuple.containsKey(tuple);
                    assertThat(table.add(flow)).isEqualTo(free);
                    if (free) {
                        byId.put(id, flow);
                        byTuple.put(tuple, flow);
                    }
                } else {
                    CarriedFlow there = byId.remove(id);
                    if (there != null) {
                        byTuple.remove(there.tuple);
                        assertThat(table.remove(there)).isTrue();
                        assertThat(table.remove(there)).isFalse();
                    }
                }
                assertThat(table.find(id)).isSameAs(byId.get(id));
                assertThat(table.find(tuple)).isSameAs(byTuple.get(tuple));
                assertThat(table.count()).isEqualTo(byId.size());
            }
            Set<CarriedFlow> all = new HashSet<>();
            table.forEach(all::add);
            assertThat(all).isEqualTo(new HashSet<>(byId.values()));
            List<CarriedFlow> left = new ArrayList<>(byId.values());
            left.forEach(table::remove);
            assertThat(table.count()).isZero();
            left.forEach(each -> assertThat(table.find(each.id)).isNull());
        }
    }

    @Test
    void aFlowOfTheSameIdIsNotRemovedForAnother() {
        FlowTable table = new FlowTable(10);
        CarriedFlow flow = new CarriedFlow(1, tuple(1), OBJECT, true);
        table.add(flow);

        assertThat(table.remove(new CarriedFlow(1, tuple(2), OBJECT, true))).isFalse();
        assertThat(table.find(1)).isSameAs(flow);
    }
}
