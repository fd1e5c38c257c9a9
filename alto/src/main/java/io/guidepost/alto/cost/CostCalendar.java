package io.guidepost.alto.cost;

import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.base.Malformed;
import java.util.ArrayList;
import java.util.List;

/**
 * How a cost changes over a cycle that repeats (RFC 8896).
 *
 * @param intervalSeconds length of one interval
 * @param factors what the cost is multiplied by in each interval; the first begins at the start of the cycle, which is a
 *     whole number of cycles after the epoch
 */
public record CostCalendar(long intervalSeconds, List<Double> factors) {
    /** Checks the ranges. */
    public CostCalendar {
        factors = List.copyOf(factors);
        if (intervalSeconds < 1 || factors.isEmpty()) {
            throw new IllegalArgumentException("a calendar has intervals of a second or more, and at least one");
        }
    }

    /**
     * Reads seconds of an interval and factors, such as {@code 3600 1 1.5 2}.
     *
     * @throws Malformed if it is of another form, or beyond a bound
     */
    public static CostCalendar parse(String text) throws Malformed {
        String[] words = text.strip().split("\\s+", -1);
        List<Double> factors = new ArrayList<>();
        try {
            long seconds = Long.parseLong(words[0]);
            for (int i = 1; i < words.length; i++) {
                double factor = Double.parseDouble(words[i]);
                if (!(factor >= 0) || Double.isInfinite(factor)) {
                    throw new Malformed("the factor " + words[i] + " is not 0 or more", 0);
                }
                factors.add(factor);
            }
            if (seconds >= 1 && seconds <= AltoLimits.INTERVAL_SECONDS_MAX && !factors.isEmpty()
                    && factors.size() <= AltoLimits.INTERVALS_MAX) {
                return new CostCalendar(seconds, factors);
            }
        } catch (NumberFormatException e) {
            // Said below: the exception's own words name no remedy.
        }
        throw new Malformed("a calendar has the seconds of an interval and up to " + AltoLimits.INTERVALS_MAX
                + " factors, such as 3600 1 1.5 2", 0);
    }

    /** Seconds of the whole cycle. */
    public long cycleSeconds() {
        return intervalSeconds * factors.size();
    }
}
