package io.guidepost.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Counters of one worker, one cell for each constant of an enum. One thread adds; any thread reads whole counts that
 * may lag a moment behind. An increment is a plain add to padded memory, so that no two workers share a cache line.
 *
 * @param <E> names the counts; the names are those that metrics and console show
 */
@SuppressWarnings("EnumOrdinal") // Cells are laid out by ordinal, and never leave the process.
public final class Counters<E extends Enum<E>> {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /** Longs on either side of the cells: 128 bytes, as processors fetch lines in pairs. */
    private static final int PAD = 16;

    private final E[] names;
    private final long[] cells;

    /** Creates counters at zero. */
    public Counters(Class<E> names) {
        this.names = names.getEnumConstants();
        this.cells = new long[PAD + this.names.length + PAD];
    }

    /** Adds one; for the owning thread alone. */
    public void count(E name) {
        add(name, 1);
    }

    /** Adds a number; for the owning thread alone. */
    public void add(E name, long number) {
        int cell = PAD + name.ordinal();
        CELL.setOpaque(cells, cell, cells[cell] + number);
    }

    /** Returns the current count; for any thread. */
    public long get(E name) {
        return (long) CELL.getOpaque(cells, PAD + name.ordinal());
    }

    /** Returns the names counted, in order. */
    public E[] names() {
        return names.clone();
    }

    /** Sums the counts of several threads, by the names in lower case, in the order of the enum. */
    public static <E extends Enum<E>> Map<String, Long> sum(Class<E> names, Collection<Counters<E>> counters) {
        Map<String, Long> all = new LinkedHashMap<>();
        for (E each : names.getEnumConstants()) {
            long sum = counters.stream().mapToLong(one -> one.get(each)).sum();
            all.put(each.name().toLowerCase(Locale.ROOT), sum);
        }
        return all;
    }
}
