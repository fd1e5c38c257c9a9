package io.guidepost.alto.cost;

import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.base.Malformed;
import java.util.ArrayList;
import java.util.List;

/**
 * A cost calendar (RFC 8896): how a cost changes over a repeated cycle.
 *
 * @param intervalSeconds length of one interval
 * @param factors multiplier of the cost in each interval; a cycle starts at a whole number of cycles after the epoch
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
     * Parses the seconds of an interval and the factors, such as {@code 3600 1 1.5 2}.
     *
     * @throws Malformed if the text has another form, or exceeds a bound
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
            // The message below names the remedy, which the exception's own does not.
        }
        throw new Malformed("a calendar has the seconds of an interval and up to " + AltoLimits.INTERVALS_MAX
                + " factors, such as 3600 1 1.5 2", 0);
    }

    /** Returns the length of a cycle. */
    public long cycleSeconds() {
        return intervalSeconds * factors.size();
    }
}
