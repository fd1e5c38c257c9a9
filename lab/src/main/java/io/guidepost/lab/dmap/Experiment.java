package io.guidepost.lab.dmap;

import io.guidepost.lab.asgraph.ShortestPaths;

/** A measurement on every look-up of a workload. Thread-safe: per-thread state is in its part. */
interface Experiment {
    /** Returns the number of tallies that it fills. */
    int rows();

    /** Returns the state of one thread. */
    Part part();

    /** One thread's share of an experiment. */
    @FunctionalInterface
    interface Part {
        /**
         * Measures one look-up.
         *
         * @param lookup its number; randomness depends on this alone, not on threads
         * @param asker the node that looks up
         * @param guid the GUID
         * @param paths latencies and hops from the asker
         * @param rows takes the results
         */
        void look(int lookup, int asker, int guid, ShortestPaths paths, LatencyStatistics[] rows);
    }
}
