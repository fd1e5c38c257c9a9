package io.guidepost.proximity.input;

import io.guidepost.proximity.topology.TopologyLink;

/**
 * The attributes of an edge in a file; NaN if the file has none.
 *
 * @param latency milliseconds
 * @param kilometres its length
 * @param bandwidth Mbit/s
 * @param congestion 0 or more
 * @param weight of routing
 */
record EdgeAttributes(double latency, double kilometres, double bandwidth, double congestion, double weight) {
    /** Speed of light in fibre. */
    private static final double KILOMETRES_PER_MILLI = 200;

    static final EdgeAttributes UNKNOWN = new EdgeAttributes(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /**
     * Returns a link of the known attributes; latency follows from the length, or from {@code apart}, the kilometres
     * between its ends.
     */
    TopologyLink link(double apart, TopologyLink defaults) {
        double length = known(kilometres) ? kilometres : apart;
        double byLength = known(length) ? length / KILOMETRES_PER_MILLI : defaults.latency();
        return new TopologyLink(
                known(latency) ? latency : byLength,
                known(bandwidth) && bandwidth > 0 ? bandwidth : defaults.bandwidth(),
                known(congestion) ? congestion : defaults.congestion(),
                known(weight) && weight > 0 ? weight : defaults.weight());
    }

    private static boolean known(double number) {
        return number >= 0 && number < Double.POSITIVE_INFINITY;
    }
}
