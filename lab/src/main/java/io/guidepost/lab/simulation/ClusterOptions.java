package io.guidepost.lab.simulation;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The parameters of a simulation besides the seed.
 *
 * @param nodes servers, 1 to 10,000
 * @param operations operations of clients, retries not counted
 * @param faults the kinds of faults that may be injected
 * @param everywhere whether each name is looked up at every server in the end, and not only at some
 * @param profile what the run is made to show
 * @param trace whether all events are logged
 */
public record ClusterOptions(
        int nodes, int operations, Set<FaultKind> faults, boolean everywhere, SimulationProfile profile, boolean trace) {
    /** Checks the ranges and copies the set. */
    public ClusterOptions {
        if (nodes < 1 || nodes > 10_000) {
            throw new IllegalArgumentException("nodes are from 1 to 10000, not " + nodes);
        }
        if (operations < 0 || operations > 1_000_000) {
            throw new IllegalArgumentException("operations are from 0 to 1000000, not " + operations);
        }
        EnumSet<FaultKind> copy = EnumSet.noneOf(FaultKind.class);
        copy.addAll(faults);
        faults = Collections.unmodifiableSet(copy);
    }

    /** Returns two hundred servers, three hundred operations, every kind of fault. */
    public static ClusterOptions defaults() {
        return new ClusterOptions(200, 300, EnumSet.allOf(FaultKind.class), false, SimulationProfile.MIXED, false);
    }

    /** Returns some servers, fewer where bounds are to be reached, and every kind of fault that a profile has. */
    public static ClusterOptions of(SimulationProfile profile) {
        return new ClusterOptions(
                profile.floods() ? 8 : 20, profile.fresh() ? 300 : 150, EnumSet.allOf(FaultKind.class), true, profile, false);
    }

    /** Returns the same with the log on or off. */
    public ClusterOptions withTrace(boolean value) {
        return new ClusterOptions(nodes, operations, faults, everywhere, profile, value);
    }
}
