package io.guidepost.lab.dmap;

import io.guidepost.lab.asgraph.ShortestPaths;

/** Something that is measured on every look-up of a workload. Thread-safe: what a thread needs is in its part. */
interface Experiment {
    /** How many tallies it fills. */
    int rows();

    /** What one thread uses. */
    Part part();

    /** One thread's share of an experiment. */
    @FunctionalInterface
    interface Part {
        /**
         * Measures one look-up.
         *
         * @param lookup which it is; randomness depends on this alone, not on threads
         * @param asker the node that asks
         * @param guid what it asks for
         * @param paths latencies and hops from the asker
         * @param rows takes the results
         */
        void look(int lookup, int asker, int guid, ShortestPaths paths, LatencyStatistics[] rows);
    }
}
