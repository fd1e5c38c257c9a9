package io.guidepost.proximity.topology;

/**
 * One direction of a link between two routers; the other direction may differ.
 *
 * @param latency milliseconds, 0 or more
 * @param bandwidth Mbit/s, more than 0
 * @param congestion 0 or more, by the operator's definition
 * @param weight of routing, as in OSPF or IS-IS, more than 0; routing minimises its sum
 */
public record TopologyLink(double latency, double bandwidth, double congestion, double weight) {
    /** Checks the ranges. */
    public TopologyLink {
        if (!(latency >= 0) || !(bandwidth > 0) || !(congestion >= 0) || !(weight > 0)
                || latency + bandwidth + congestion + weight == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("a link has finite latency and congestion of 0 or more, and bandwidth and "
                    + "weight above 0, not " + latency + " " + bandwidth + " " + congestion + " " + weight);
        }
    }
}
