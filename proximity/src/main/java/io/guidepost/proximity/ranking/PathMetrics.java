package io.guidepost.proximity.ranking;

/**
 * What a ranking function is given of the way from one place to another.
 *
 * @param bandwidth Mbit/s of the narrowest link; infinite if both are at one router
 * @param latency sum in milliseconds
 * @param hops links inside the network
 * @param asNumber of the destination's system; 0 if it is inside, or not known
 * @param asDistance systems between the exit and the destination
 * @param weight sum of the links' weights
 * @param congestion sum over the links
 */
public record PathMetrics(
        double bandwidth, double latency, int hops, long asNumber, int asDistance, double weight, double congestion) {}
