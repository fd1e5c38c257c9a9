package io.guidepost.alto.protocol;

/**
 * A cost type (RFC 7285 section 10.7).
 *
 * @param mode how costs are to be interpreted
 * @param metric what is measured, such as {@code routingcost}
 */
public record CostType(CostMode mode, String metric) {
    /** Checks the metric's name. */
    public CostType {
        if (!AltoIdentifiers.isMetric(metric)) {
            throw new IllegalArgumentException("'" + metric + "' is no name of a cost metric");
        }
    }

    /** Creates the numerical type of a metric. */
    public static CostType numerical(String metric) {
        return new CostType(CostMode.NUMERICAL, metric);
    }

    /** Creates the ordinal type of a metric. */
    public static CostType ordinal(String metric) {
        return new CostType(CostMode.ORDINAL, metric);
    }

    /**
     * Returns its name in the directory: three letters of the mode, and the metric, such as {@code num-routingcost}.
     */
    public String name() {
        return mode.word().substring(0, 3) + "-" + metric;
    }
}
