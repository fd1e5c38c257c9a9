package io.guidepost.packet.host;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counts of one queue of a host. Its thread adds; any thread reads. */
@SuppressWarnings("EnumOrdinal") // Cells are laid out by ordinal, and never leave the process.
final class HostCounts {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /** Longs on either side of the cells: 128 bytes, as processors fetch lines in pairs. */
    private static final int PAD = 16;

    private final long[] cells = new long[PAD + HostCount.values().length + PAD];

    void add(HostCount name) {
        int cell = PAD + name.ordinal();
        CELL.setOpaque(cells, cell, cells[cell] + 1);
    }

    long get(HostCount name) {
        return (long) CELL.getOpaque(cells, PAD + name.ordinal());
    }
}
