package io.guidepost.scaffold.flow;

import io.guidepost.scaffold.segment.FlowTuple;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The flows of a host, by their ids and by their tuples. It grows to a bound, and no more flows are taken then. Belongs to one thread. */
final class FlowTable {
    private final int flowsMax;

    private final FlowIndex byId = new FlowIndex() {
        @Override
        int hash(CarriedFlow flow) {
            return hash(flow.id);
        }
    };

    private final FlowIndex byTuple = new FlowIndex() {
        @Override
        int hash(CarriedFlow flow) {
            return flow.tuple.hashCode();
        }
    };

    FlowTable(int flowsMax) {
        this.flowsMax = flowsMax;
    }

    int count() {
        return byId.count();
    }

    @Nullable
    CarriedFlow find(long id) {
        for (int row = byId.first(FlowIndex.hash(id)); ; row = byId.next(row)) {
            CarriedFlow there = byId.at(row);
            if (there == null || there.id == id) {
                return there;
            }
        }
    }

    @Nullable
    CarriedFlow find(FlowTuple tuple) {
        for (int row = byTuple.first(tuple.hashCode()); ; row = byTuple.next(row)) {
            CarriedFlow there = byTuple.at(row);
            if (there == null || there.tuple.equals(tuple)) {
                return there;
            }
        }
    }

    /** Adds a flow; false if one has its id or its tuple, or if there are too many. */
    boolean add(CarriedFlow flow) {
        if (count() == flowsMax || find(flow.id) != null || find(flow.tuple) != null) {
            return false;
        }
        byId.add(flow);
        byTuple.add(flow);
        return true;
    }

    /** Removes a flow; false if it is not there. */
    boolean remove(CarriedFlow flow) {
        return byId.remove(flow) && byTuple.remove(flow);
    }

    /** Has each flow looked at; none is added or removed meanwhile. */
    void forEach(Consumer<CarriedFlow> action) {
        byId.forEach(action);
    }
}
