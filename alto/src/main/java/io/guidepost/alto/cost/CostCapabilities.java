package io.guidepost.alto.cost;

import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.CostType;
import io.guidepost.web.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Capabilities of cost resources in the directory (RFC 7285 section 11.3.2.4, RFC 8189, RFC 8896). */
public final class CostCapabilities {
    private CostCapabilities() {}

    /** Returns the members of {@code capabilities}. */
    public static Map<String, Object> of(List<CostMetric> metrics) {
        List<String> names = new ArrayList<>();
        Map<CostCalendar, List<String>> calendars = new LinkedHashMap<>();
        for (CostMetric each : metrics) {
            String numerical = CostType.numerical(each.name()).name();
            names.add(numerical);
            names.add(CostType.ordinal(each.name()).name());
            each.calendar().ifPresent(calendar -> calendars.computeIfAbsent(calendar, _ -> new ArrayList<>()).add(numerical));
        }
        List<Map<String, Object>> attributes = new ArrayList<>();
        calendars.forEach((calendar, named) -> attributes.add(JsonWriter.object(
                "cost-type-names", named,
                "time-interval-size", calendar.intervalSeconds(),
                "number-of-intervals", calendar.factors().size())));
        return JsonWriter.object(
                "cost-type-names", names,
                "cost-constraints", true,
                "max-cost-types", AltoLimits.COST_TYPES_MAX,
                "testable-cost-type-names", names,
                "calendar-attributes", attributes.isEmpty() ? null : attributes);
    }
}
