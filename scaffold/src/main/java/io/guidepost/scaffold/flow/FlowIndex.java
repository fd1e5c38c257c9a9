package io.guidepost.scaffold.flow;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Flows by something of them that does not change: a hash table with open addressing, the next row if one is taken; what is removed
 * lets others move back. Belongs to one thread.
 */
abstract class FlowIndex {
    private static final int ROWS_LEAST = 1_024;

    private @Nullable CarriedFlow[] rows = new CarriedFlow[ROWS_LEAST];
    private int count;

    /** Returns the hash of what a flow is found by. */
    abstract int hash(CarriedFlow flow);

    static int hash(long number) {
        return (int) (number * 0x9e37_79b9_7f4a_7c15L >>> 33);
    }

    final int count() {
        return count;
    }

    /** Returns the row from which on a flow of a hash is, before the first row without one. */
    final int first(int hash) {
        return hash & rows.length - 1;
    }

    final int next(int row) {
        return row + 1 & rows.length - 1;
    }

    @Nullable
    final CarriedFlow at(int row) {
        return rows[row];
    }

    final void add(CarriedFlow flow) {
        // At most half of the rows are taken, so that a search ends soon.
        if (2 * (count + 1) > rows.length) {
            @Nullable CarriedFlow[] before = rows;
            rows = new CarriedFlow[2 * before.length];
            for (CarriedFlow each : before) {
                if (each != null) {
                    rows[place(each, null)] = each;
                }
            }
        }
        rows[place(flow, null)] = flow;
        count++;
    }

    /** Removes a flow, and moves back into its row what stands behind only because that was taken; false if it is not there. */
    final boolean remove(CarriedFlow flow) {
        int hole = place(flow, flow);
        if (rows[hole] == null) {
            return false;
        }
        rows[hole] = null;
        count--;
        for (int row = next(hole); ; row = next(row)) {
            CarriedFlow behind = rows[row];
            if (behind == null) {
                return true;
            }
            int mask = rows.length - 1;
            if ((row - first(hash(behind)) & mask) >= (row - hole & mask)) {
                rows[hole] = behind;
                rows[row] = null;
                hole = row;
            }
        }
    }

    /** Returns the row of a flow, or the first that is free where it could be. */
    private int place(CarriedFlow flow, @Nullable CarriedFlow wanted) {
        int row = first(hash(flow));
        while (rows[row] != null && rows[row] != wanted) {
            row = next(row);
        }
        return row;
    }

    final void forEach(Consumer<CarriedFlow> action) {
        for (CarriedFlow each : rows) {
            if (each != null) {
                action.accept(each);
            }
        }
    }
}
