package io.guidepost.alto.protocol;

/**
 * What costs say (RFC 7285 section 10.7).
 *
 * @param mode how they are to be read
 * @param metric what is measured, such as {@code routingcost}
 */
public record CostType(CostMode mode, String metric) {
    /** Checks the metric's name. */
    public CostType {
        if (!AltoIdentifiers.isMetric(metric)) {
            throw new IllegalArgumentException("'" + metric + "' is no name of a cost metric");
        }
    }

    /** Numbers of a metric. */
    public static CostType numerical(String metric) {
        return new CostType(CostMode.NUMERICAL, metric);
    }

    /** Positions by a metric. */
    public static CostType ordinal(String metric) {
        return new CostType(CostMode.ORDINAL, metric);
    }

    /** Its name in our directory: three letters of the mode and the metric, such as {@code num-routingcost}. */
    public String name() {
        return mode.word().substring(0, 3) + "-" + metric;
    }
}
