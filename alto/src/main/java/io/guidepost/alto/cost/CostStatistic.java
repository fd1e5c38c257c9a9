package io.guidepost.alto.cost;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The statistic suffix of a performance metric (RFC 9439 section 3.2), such as {@code p95} in {@code delay-ow:p95}.
 *
 * @param metric what is measured
 * @param operator {@code cur}, {@code p} and a number from 0 to 100, {@code min}, {@code max}, {@code mean},
 *     {@code median}, {@code stddev} or {@code stdvar}; empty if none is given
 */
public record CostStatistic(String metric, Optional<String> operator) {
    private static final Set<String> PERFORMANCE = Set.of(
            "delay-ow", "delay-rt", "delay-variation", "lossrate", "hopcount", "tput", "bw-residual", "bw-available");

    /** A number without redundant zeroes, so that one statistic has one name. */
    private static final Pattern OPERATOR =
            Pattern.compile("cur|min|max|mean|median|stddev|stdvar|p(?:100|[1-9]?\\d(?:\\.\\d*[1-9])?)");

    /** Splits the name of a metric. */
    public static CostStatistic of(String name) {
        int colon = name.indexOf(':');
        return colon < 0
                ? new CostStatistic(name, Optional.empty())
                : new CostStatistic(name.substring(0, colon), Optional.of(name.substring(colon + 1)));
    }

    /** Returns whether clients understand a name: the suffix of a performance metric must be a statistic. */
    public static boolean isPlausible(String name) {
        CostStatistic parts = of(name);
        return !PERFORMANCE.contains(parts.metric)
                || parts.operator.isEmpty()
                || OPERATOR.matcher(parts.operator.get()).matches();
    }
}
