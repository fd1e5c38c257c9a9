package io.guidepost.middlebox;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Counts of a middlebox, one for each constant of an enum: one thread adds, any thread reads. */
@SuppressWarnings("EnumOrdinal") // Cells are laid out by ordinal, and never leave the process.
public final class Tally<E extends Enum<E>> {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] cells;

    /** Counts that all stand at zero. */
    public Tally(Class<E> names) {
        this.cells = new long[names.getEnumConstants().length];
    }

    /** Counts one; for its thread. */
    public void add(E name) {
        int cell = name.ordinal();
        CELL.setOpaque(cells, cell, cells[cell] + 1);
    }

    /** What was counted of one name. */
    public long get(E name) {
        return (long) CELL.getOpaque(cells, name.ordinal());
    }

    /** What several threads have counted, by the names in lower case, in the order of the enum. */
    public static <E extends Enum<E>> Map<String, Long> sum(Class<E> names, Collection<Tally<E>> tallies) {
        Map<String, Long> all = new LinkedHashMap<>();
        for (E each : names.getEnumConstants()) {
            long sum = tallies.stream().mapToLong(tally -> tally.get(each)).sum();
            all.put(each.name().toLowerCase(Locale.ROOT), sum);
        }
        return all;
    }
}
