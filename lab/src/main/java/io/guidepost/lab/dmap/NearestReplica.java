package io.guidepost.lab.dmap;

import io.guidepost.lab.asgraph.ShortestPaths;

/**
 * The paper's experiment: no faults, and each look-up asks the replica with the lowest latency. One row for each number
 * of replicas from 1.
 */
record NearestReplica(ReplicaNodes places, LatencyModel distances) implements Experiment {
    @Override
    public int rows() {
        return places.replicas();
    }

    @Override
    public Part part() {
        return this::look;
    }

    private void look(int lookup, int asker, int guid, ShortestPaths paths, LatencyStatistics[] rows) {
        int least = Integer.MAX_VALUE;
        int seen = 0;
        for (int k = 1; k <= rows.length; k++) {
            for (int count = places.count(guid, k); seen < count; seen++) {
                least = Math.min(least, distances.roundTripMicros(paths, asker, places.node(guid, seen)));
            }
            rows[k - 1].answered(least);
            rows[k - 1].asked(1);
        }
    }
}
