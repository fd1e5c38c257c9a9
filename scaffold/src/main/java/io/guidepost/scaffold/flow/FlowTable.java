package io.guidepost.scaffold.flow;

import io.guidepost.scaffold.segment.FlowTuple;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The flows of a host, by their ids and by their tuples: two hash tables with open addressing, the next row if one is taken;
 * what is removed lets others move back. It grows to a bound, and no more flows are taken then. Belongs to one thread.
 */
final class FlowTable {
    private static final int ROWS_LEAST = 1_024;

    private final int flowsMax;
    private @Nullable CarriedFlow[] byId = new CarriedFlow[ROWS_LEAST];
    private @Nullable CarriedFlow[] byTuple = new CarriedFlow[ROWS_LEAST];
    private int count;

    FlowTable(int flowsMax) {
        this.flowsMax = flowsMax;
    }

    int count() {
        return count;
    }

    private static int row(long id, int rows) {
        return (int) (id * 0x9e37_79b9_7f4a_7c15L >>> 33) & rows - 1;
    }

    private static int row(FlowTuple tuple, int rows) {
        return tuple.hashCode() & rows - 1;
    }

    @Nullable
    CarriedFlow find(long id) {
        for (int i = row(id, byId.length); ; i = i + 1 & byId.length - 1) {
            CarriedFlow there = byId[i];
            if (there == null || there.id == id) {
                return there;
            }
        }
    }

    @Nullable
    CarriedFlow find(FlowTuple tuple) {
        for (int i = row(tuple, byTuple.length); ; i = i + 1 & byTuple.length - 1) {
            CarriedFlow there = byTuple[i];
            if (there == null || there.tuple.equals(tuple)) {
                return there;
            }
        }
    }

    /** Adds a flow; false if one has its id or its tuple, or if there are too many. */
    boolean add(CarriedFlow flow) {
        if (count == flowsMax || find(flow.id) != null || find(flow.tuple) != null) {
            return false;
        }
        // At most half of the rows are taken, so that a search ends soon.
        if (2 * (count + 1) > byId.length) {
            grow();
        }
        insert(flow);
        count++;
        return true;
    }

    private void grow() {
        @Nullable CarriedFlow[] before = byId;
        byId = new CarriedFlow[2 * before.length];
        byTuple = new CarriedFlow[2 * before.length];
        for (CarriedFlow each : before) {
            if (each != null) {
                insert(each);
            }
        }
    }

    private void insert(CarriedFlow flow) {
        byId[place(byId, row(flow.id, byId.length), null)] = flow;
        byTuple[place(byTuple, row(flow.tuple, byTuple.length), null)] = flow;
    }

    /** Removes a flow; false if it is not there. */
    boolean remove(CarriedFlow flow) {
        if (find(flow.id) != flow) {
            return false;
        }
        free(byId, place(byId, row(flow.id, byId.length), flow), true);
        free(byTuple, place(byTuple, row(flow.tuple, byTuple.length), flow), false);
        count--;
        return true;
    }

    /** Returns the first row from one on that has a flow, or none. */
    private static int place(@Nullable CarriedFlow[] rows, int from, @Nullable CarriedFlow flow) {
        int i = from;
        while (rows[i] != flow) {
            i = i + 1 & rows.length - 1;
        }
        return i;
    }

    /** Frees a row, and moves back into it what stands behind only because it was taken. */
    private static void free(@Nullable CarriedFlow[] rows, int row, boolean ofIds) {
        int mask = rows.length - 1;
        int hole = row;
        rows[hole] = null;
        for (int i = hole + 1 & mask; ; i = i + 1 & mask) {
            CarriedFlow next = rows[i];
            if (next == null) {
                return;
            }
            int home = ofIds ? row(next.id, rows.length) : row(next.tuple, rows.length);
            if ((i - home & mask) >= (i - hole & mask)) {
                rows[hole] = next;
                rows[i] = null;
                hole = i;
            }
        }
    }

    /** Has each flow looked at; none is added or removed meanwhile. */
    void forEach(Consumer<CarriedFlow> action) {
        for (CarriedFlow each : byId) {
            if (each != null) {
                action.accept(each);
            }
        }
    }
}
