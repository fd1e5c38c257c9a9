package io.guidepost.alto.cost;

/** Costs of one metric between the PIDs of a network map. Immutable and thread-safe. */
@FunctionalInterface
public interface CostTable {
    /** Returns the cost between two PIDs, given by their indices; NaN if it is unknown. */
    double cost(int from, int to);

    /**
     * Returns whether the full cost map includes the costs from a PID. Those from external PIDs are many and seldom
     * needed, so only queries return them.
     */
    default boolean tellsFrom(int pid) {
        return true;
    }
}
