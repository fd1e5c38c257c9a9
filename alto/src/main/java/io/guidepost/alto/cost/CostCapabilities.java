package io.guidepost.alto.cost;

import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.CostType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** Capabilities of cost resources in the directory (RFC 7285 section 11.3.2.4, RFC 8189, RFC 8896). */
public final class CostCapabilities {
    private CostCapabilities() {}

    /** Writes the members of {@code capabilities}. */
    public static void write(JsonGenerator out, List<CostMetric> metrics) {
        List<String> names = new ArrayList<>();
        for (CostMetric each : metrics) {
            names.add(CostType.numerical(each.name()).name());
            names.add(CostType.ordinal(each.name()).name());
        }
        names(out, "cost-type-names", names);
        out.writeBooleanProperty("cost-constraints", true);
        out.writeNumberProperty("max-cost-types", AltoLimits.COST_TYPES_MAX);
        names(out, "testable-cost-type-names", names);
        Map<CostCalendar, List<String>> calendars = new LinkedHashMap<>();
        for (CostMetric each : metrics) {
            each.calendar().ifPresent(calendar -> calendars
                    .computeIfAbsent(calendar, _ -> new ArrayList<>())
                    .add(CostType.numerical(each.name()).name()));
        }
        if (calendars.isEmpty()) {
            return;
        }
        out.writeArrayPropertyStart("calendar-attributes");
        calendars.forEach((calendar, named) -> {
            out.writeStartObject();
            names(out, "cost-type-names", named);
            out.writeNumberProperty("time-interval-size", calendar.intervalSeconds());
            out.writeNumberProperty("number-of-intervals", calendar.factors().size());
            out.writeEndObject();
        });
        out.writeEndArray();
    }

    private static void names(JsonGenerator out, String name, List<String> names) {
        out.writeArrayPropertyStart(name);
        names.forEach(out::writeString);
        out.writeEndArray();
    }
}
