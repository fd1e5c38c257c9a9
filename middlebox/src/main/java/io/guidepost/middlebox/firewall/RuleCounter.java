package io.guidepost.middlebox.firewall;

import io.guidepost.base.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Counters of one rule: for each pipeline two cells, packets and bytes, that its thread alone writes.
 *
 * <p>Counters that are made together share a block of memory, in which the cells of one pipeline are adjacent: four of
 * them are one cache line, and no two pipelines share one. It is off-heap so that a pipeline needs only an address for
 * each rule, even across reloads; it is freed with its last counter.
 */
final class RuleCounter {
    private static final int CELLS_SHIFT = 4;

    /** Processors fetch lines in pairs. */
    private static final int APART = 128;

    private final MemorySegment memory;
    private final int ways;
    private final long wayBytes;
    private final long offset;

    private RuleCounter(MemorySegment memory, int ways, long wayBytes, long offset) {
        this.memory = memory;
        this.ways = ways;
        this.wayBytes = wayBytes;
        this.offset = offset;
    }

    /** Creates counters at zero. */
    static RuleCounter[] make(int number, int ways) {
        long wayBytes = ((long) number << CELLS_SHIFT) + 2 * APART - 1 & -APART;
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, ways * wayBytes), APART);
        RuleCounter[] counters = new RuleCounter[number];
        for (int i = 0; i < number; i++) {
            counters[i] = new RuleCounter(memory, ways, wayBytes, (long) i << CELLS_SHIFT);
        }
        return counters;
    }

    /** Returns the address of a pipeline's cells, valid while the counter is reachable. */
    long address(int way) {
        return memory.address() + way * wayBytes + offset;
    }

    /**
     * Counts a packet in the cells at an address; for the pipeline's thread. Plain stores: one thread writes, and
     * readers accept values that lag a moment behind.
     */
    static void add(long address, int bytes) {
        Memory.put64Le(address, Memory.i64Le(address) + 1);
        Memory.put64Le(address + Long.BYTES, Memory.i64Le(address + Long.BYTES) + bytes);
    }

    long packets() {
        return sum(0);
    }

    long bytes() {
        return sum(Long.BYTES);
    }

    private long sum(int place) {
        long sum = 0;
        for (int way = 0; way < ways; way++) {
            sum += memory.get(ValueLayout.JAVA_LONG, way * wayBytes + offset + place);
        }
        return sum;
    }
}
