package io.guidepost.alto.cost;

import java.util.Map;
import java.util.Optional;

/**
 * A published cost metric.
 *
 * @param name such as {@code routingcost}, {@code hopcount} or {@code delay-ow:p95}
 * @param context source of its values (RFC 9439 section 3.1)
 * @param calendar how values change over time (RFC 8896)
 */
public record CostMetric(String name, Optional<Context> context, Optional<CostCalendar> calendar) {
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

    /** Returns whether a larger value is better, as for residual bandwidth. */
    public static boolean isBetterIfMore(String name) {
        return name.startsWith("tput") || name.startsWith("bw-");
    }
}
