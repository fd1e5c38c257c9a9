package io.guidepost.scaffold.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rows that outlive a process; that flows go on with them is shown by the simulation, and by gateways that are killed. */
class FlowMemoryTest {
    private static final GatewaySettings SETTINGS = new GatewaySettings(0x6440_0000, 10, 3_000, 10_000, 0);

    private final MemorySegment memory = Arena.ofAuto().allocate(FlowMemory.bytes(SETTINGS), Long.BYTES);
    private final List<Long> grown = new ArrayList<>();

    private FlowMemory open() {
        return new FlowMemory(
                memory,
                (from, end) -> {
                    grown.add(end - from);
                    return true;
                },
                SETTINGS);
    }

    private static Set<Long> rows(FlowMemory.Rows rows) {
        Set<Long> there = new HashSet<>();
        rows.forEach(there::add);
        return there;
    }

    @Test
    void rowsAreThereForTheNextProcessUntilTheyAreFreed() {
        FlowMemory.Rows before = open().flows;
        List<Long> taken = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            taken.add(before.take());
            Memory.slot(taken.get(i), i + 1);
        }
        before.free(taken.get(7));
        before.clear(taken.get(9));

        FlowMemory.Rows after = open().flows;
        Set<Long> expected = new HashSet<>(taken);
        expected.removeAll(List.of(taken.get(7), taken.get(9)));
        assertThat(rows(after)).isEqualTo(expected);
        assertThat(List.of(after.take(), after.take())).containsExactlyInAnyOrder(taken.get(7), taken.get(9));
        assertThat(expected).doesNotContain(after.take());
    }

    @Test
    void thereAreNoMoreRowsThanTheBound() {
        FlowMemory.Rows rows = open().flows;
        for (int i = 0; i < SETTINGS.flowsMax(); i++) {
            assertThat(rows.take()).isBetween(memory.address() + FlowMemory.HEADER_BYTES, memory.address() + memory.byteSize());
        }
        assertThat(rows.take()).isZero();
        assertThat(grown.stream().mapToLong(Long::longValue).sum()).isEqualTo((long) SETTINGS.flowsMax() * FlowMemory.FLOW_BYTES);
    }

    @Test
    void withoutRoomNothingIsTaken() {
        assertThat(new FlowMemory(memory, (_, _) -> false, SETTINGS).hosts.take()).isZero();
        assertThat(FlowMemory.none().flows.take()).isZero();
        assertThat(rows(FlowMemory.none().flows)).isEmpty();
    }

    /** A count that no gateway has written is read only as far as there are rows. */
    @Test
    void aDamagedCountIsNoMoreThanTheRows() {
        Memory.put32(memory.address(), Integer.MAX_VALUE);
        assertThat(rows(open().flows)).isEmpty();
        Memory.put32(memory.address(), -1);
        assertThat(rows(open().flows)).isEmpty();
    }
}
