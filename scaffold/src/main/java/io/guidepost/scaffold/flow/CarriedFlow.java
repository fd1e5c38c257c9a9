package io.guidepost.scaffold.flow;

import io.guidepost.names.Guid;

/** One end of a flow. Belongs to one thread. */
final class CarriedFlow {
    private final long id;
    private final FlowTuple tuple;
    private final Guid object;

    /**
     * Creates a flow that no peer knows yet.
     *
     * @param id random: who does not know it cannot send to the flow
     */
    CarriedFlow(long id, FlowTuple tuple, Guid object) {
        this.id = id;
        this.tuple = tuple;
        this.object = object;
    }

    long id() {
        return id;
    }

    FlowTuple tuple() {
        return tuple;
    }

    Guid object() {
        return object;
    }
}
