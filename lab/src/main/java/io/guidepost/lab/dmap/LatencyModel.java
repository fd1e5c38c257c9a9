package io.guidepost.lab.dmap;

import io.guidepost.lab.asgraph.ShortestPaths;

/**
 * The latency model: the round-trip time between two ASes.
 *
 * @param linksOneWay whether the latency of a link is one-way; else it is the round trip
 * @param intraMicros latency between a host and the border of its AS, one way, in microseconds
 */
record LatencyModel(boolean linksOneWay, int intraMicros) {
    /** Returns the round-trip time in microseconds from the source of the paths. */
    int roundTripMicros(ShortestPaths paths, int asker, int node) {
        int ways = linksOneWay ? 2 : 1;
        int ends = asker == node ? 2 : 4;
        return ways * paths.micros(node) + ends * intraMicros;
    }
}
