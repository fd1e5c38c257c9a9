package io.guidepost.proximity.ranking;

/**
 * The metrics of a path, which a ranking function evaluates.
 *
 * @param bandwidth Mbit/s of the narrowest link; infinite if both ends are at one router
 * @param latency sum in milliseconds
 * @param hops links inside the network
 * @param asNumber of the destination; 0 if it is internal, or unknown
 * @param asDistance ASes between the exit and the destination
 * @param weight sum of the links' weights
 * @param congestion sum over the links
 */
public record PathMetrics(
        double bandwidth, double latency, int hops, long asNumber, int asDistance, double weight, double congestion) {}
