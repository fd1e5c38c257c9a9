package io.guidepost.alto.cost;

import io.guidepost.alto.protocol.AltoIdentifiers;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A published cost metric.
 *
 * @param name such as {@code routingcost}, {@code hopcount} or {@code delay-ow:p95}
 * @param context source of its values (RFC 9439 section 3.1)
 * @param calendar how values change over time (RFC 8896)
 */
public record CostMetric(String name, Optional<Context> context, Optional<CostCalendar> calendar) {
    /** Metrics whose names may have a statistic as suffix, such as {@code p95} in {@code delay-ow:p95} (RFC 9439 section 3.2). */
    private static final Set<String> PERFORMANCE = Set.of(
            "delay-ow", "delay-rt", "delay-variation", "lossrate", "hopcount", "tput", "bw-residual", "bw-available");

    /** The statistics; a number has no redundant zeroes, so that one statistic has one name. */
    private static final Pattern STATISTIC =
            Pattern.compile("cur|min|max|mean|median|stddev|stdvar|p(?:100|[1-9]?\\d(?:\\.\\d*[1-9])?)");

    /**
     * The source of values.
     *
     * @param source {@code nominal}, {@code sla} or {@code estimation}
     * @param parameters such as {@code method}
     */
    public record Context(String source, Map<String, String> parameters) {
        /** Copies the map. */
        public Context {
            parameters = Map.copyOf(parameters);
        }
    }

    /** Creates a metric without context and calendar. */
    public static CostMetric of(String name) {
        return new CostMetric(name, Optional.empty(), Optional.empty());
    }

    /** Returns whether a text is a name that clients understand: the suffix of a performance metric must be a statistic. */
    public static boolean isName(String text) {
        int colon = text.indexOf(':');
        return AltoIdentifiers.isMetric(text)
                && (colon < 0
                        || !PERFORMANCE.contains(text.substring(0, colon))
                        || STATISTIC.matcher(text.substring(colon + 1)).matches());
    }

    /** Returns whether a larger value is better, as for residual bandwidth. */
    public static boolean isBetterIfMore(String name) {
        return name.startsWith("tput") || name.startsWith("bw-");
    }
}
