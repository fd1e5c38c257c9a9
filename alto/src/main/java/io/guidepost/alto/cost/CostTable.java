package io.guidepost.alto.cost;

/** What it costs by one metric to get from one PID of a network map to another. Immutable and thread-safe. */
@FunctionalInterface
public interface CostTable {
    /** The cost; not a number if it is not known. PIDs are given by their numbers in the map. */
    double cost(int from, int to);

    /**
     * Whether the whole map tells the costs from a PID. Those from PIDs outside of the operator's network are many and
     * seldom wanted; they are told when they are asked for.
     */
    default boolean tellsFrom(int pid) {
        return true;
    }
}
