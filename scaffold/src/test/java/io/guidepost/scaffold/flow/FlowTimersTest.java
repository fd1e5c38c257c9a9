package io.guidepost.scaffold.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.segment.FlowTuple;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FlowTimersTest {
    /** Against a map, at times on both sides of where the clock's numbers turn negative. */
    @Test
    void eachFlowIsDueAtItsLastTimeOnce() {
        for (int seed = 0; seed < 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            FlowTimers timers = new FlowTimers();
            List<CarriedFlow> flows = IntStream.range(0, 300)
                    .mapToObj(each -> new CarriedFlow(each, new FlowTuple(0, 1, 0, 2, each, 6), Guid.ofAscii("object"), true))
                    .toList();
            Map<CarriedFlow, Long> model = new HashMap<>();
            long now = Long.MAX_VALUE - 20_000;
            for (int i = 0; i < 5_000; i++) {
                CarriedFlow flow = flows.get(random.nextInt(flows.size()));
                if (random.nextInt(4) > 0) {
                    long at = now + random.nextInt(1_000);
                    timers.set(flow, at);
                    model.put(flow, at);
                } else {
                    timers.clear(flow);
                    model.remove(flow);
                }
                now += random.nextInt(10);
                assertThat(due(timers, now)).isEqualTo(due(model, now));
                long clock = now;
                assertThat(timers.restNanos(now)).isEqualTo(
                        model.values().stream().mapToLong(each -> each - clock).min().orElse(Long.MAX_VALUE));
            }
        }
    }

    private static Set<CarriedFlow> due(FlowTimers timers, long now) {
        Set<CarriedFlow> due = new HashSet<>();
        for (CarriedFlow next = timers.poll(now); next != null; next = timers.poll(now)) {
            assertThat(due.add(next)).isTrue();
        }
        return due;
    }

    private static Set<CarriedFlow> due(Map<CarriedFlow, Long> model, long now) {
        Set<CarriedFlow> due = new HashSet<>();
        model.forEach((flow, at) -> {
            if (at - now <= 0) {
                due.add(flow);
            }
        });
        due.forEach(model::remove);
        return due;
    }
}
