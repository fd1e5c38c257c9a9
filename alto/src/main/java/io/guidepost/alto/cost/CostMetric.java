package io.guidepost.alto.cost;

import java.util.Map;
import java.util.Optional;

/**
 * A metric that costs are told by.
 *
 * @param name such as {@code routingcost}, {@code hopcount} or {@code delay-ow:p95}
 * @param context where its values come from (RFC 9439 section 3.1)
 * @param calendar how they change over time (RFC 8896)
 */
public record CostMetric(String name, Optional<Context> context, Optional<CostCalendar> calendar) {
    /**
     * Where values come from.
     *
     * @param source {@code nominal}, {@code sla} or {@code estimation}
     * @param parameters more about it, such as {@code method}
     */
    public record Context(String source, Map<String, String> parameters) {
        /** Copies the map. */
        public Context {
            parameters = Map.copyOf(parameters);
        }
    }

    /** A metric of which nothing more is known. */
    public static CostMetric of(String name) {
        return new CostMetric(name, Optional.empty(), Optional.empty());
    }

    /** Whether more of it is better, as of what is left of a line. */
    public static boolean isBetterIfMore(String name) {
        return name.startsWith("tput") || name.startsWith("bw-");
    }
}
