package io.guidepost.scaffold.metrics;

import io.guidepost.base.Counters;
import io.guidepost.base.Histogram;

/**
 * What a gateway's machine has counted: its thread adds, any thread reads.
 *
 * @param counts all that has no cause
 * @param resumed flows that went on at another instance, by why they had lost theirs
 * @param reset flows that were reset, by the same
 * @param outageNanos from the loss of an instance until the next one's bytes could go on
 */
public record FlowTally(
        Counters<FlowCount> counts, Counters<LossCause> resumed, Counters<LossCause> reset, Histogram outageNanos) {
    /** Returns a tally at zero. */
    public static FlowTally zero() {
        return new FlowTally(
                new Counters<>(FlowCount.class),
                new Counters<>(LossCause.class),
                new Counters<>(LossCause.class),
                Histogram.doubling());
    }
}
