package io.guidepost.lab.dmap;

import io.guidepost.lab.asgraph.ShortestPaths;

/**
 * How long a question and its answer take on the way between two ASes.
 *
 * @param linksOneWay whether the latency of a link is that of one way; else it is that of there and back
 * @param intraMicros latency between a host and the border of its AS, one way, in microseconds
 */
record LatencyModel(boolean linksOneWay, int intraMicros) {
    /** There and back, in microseconds, from the source of the paths. */
    int roundTripMicros(ShortestPaths paths, int asker, int node) {
        int ways = linksOneWay ? 2 : 1;
        int ends = asker == node ? 2 : 4;
        return ways * paths.micros(node) + ends * intraMicros;
    }
}
