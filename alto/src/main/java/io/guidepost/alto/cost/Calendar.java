package io.guidepost.alto.cost;

import java.util.List;

/**
 * How a cost changes over a cycle that repeats (RFC 8896).
 *
 * @param intervalSeconds length of one interval
 * @param factors what the cost is multiplied by in each interval; the first begins at the start of the cycle, which is a
 *     whole number of cycles after the epoch
 */
public record Calendar(long intervalSeconds, List<Double> factors) {
    /** Checks the ranges. */
    public Calendar {
        factors = List.copyOf(factors);
        if (intervalSeconds < 1 || factors.isEmpty()) {
            throw new IllegalArgumentException("a calendar has intervals of a second or more, and at least one");
        }
    }

    /** Seconds of the whole cycle. */
    public long cycleSeconds() {
        return intervalSeconds * factors.size();
    }
}
