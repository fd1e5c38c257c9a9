package io.guidepost.alto.cost;

import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoJsonWriter;
import io.guidepost.alto.protocol.CostMode;
import io.guidepost.alto.protocol.CostType;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes the costs of a response: single or multi-cost, numerical or ordinal, constant or with calendars, and only of
 * pairs that satisfy the constraints.
 */
public final class CostWriter {
    private final CostQuery query;
    private final List<CostMetric> metrics;
    private final CostGrid grid;
    private final Map<CostType, Values> values = new LinkedHashMap<>();

    /** Costs of one type between all pairs. */
    private interface Values {
        double at(int row, int column);
    }

    /**
     * Prepares a response.
     *
     * @param pairsMax bound of the response, divided among the cost types
     * @throws AltoError if the response would be longer; {@code field} is the member at fault
     */
    public CostWriter(CostQuery query, List<CostMetric> metrics, CostGrid grid, int pairsMax, String field) throws AltoError {
        this.query = query;
        this.metrics = metrics;
        this.grid = grid;
        for (List<CostType> each : List.of(query.types(), query.testable())) {
            each.forEach(type -> values.put(type, (_, _) -> Double.NaN));
        }
        long pairs = (long) grid.rows().size() * grid.columns().size();
        if (pairs * values.size() > pairsMax) {
            throw AltoError.value(
                    field, pairs + " pairs", "an answer has at most " + pairsMax / values.size() + " pairs of these costs");
        }
        values.replaceAll((type, _) -> type.mode() == CostMode.ORDINAL ? positions(type.metric()) : numbers(type.metric()));
    }

    private Values numbers(String metric) {
        return (row, column) -> grid.costs().of(metric, row, column);
    }

    /** Computes ordinal costs, from 1; equal costs have equal ranks. */
    private Values positions(String metric) {
        int columns = grid.columns().size();
        double sign = CostMetric.isBetterIfMore(metric) ? -1 : 1;
        double[] costs = new double[grid.rows().size() * columns];
        for (int i = 0; i < costs.length; i++) {
            // Negative zero becomes positive, or the two would be different numbers.
            costs[i] = sign * grid.costs().of(metric, i / columns, i % columns) + 0.0;
        }
        double[] order = Arrays.stream(costs).filter(each -> !Double.isNaN(each)).sorted().distinct().toArray();
        return (row, column) -> {
            double cost = costs[row * columns + column];
            return Double.isNaN(cost) ? cost : 1 + Arrays.binarySearch(order, cost);
        };
    }

    /** Writes {@code "cost-type":...}, or the multi-cost form, and calendar attributes, for {@code meta}. */
    public AltoJsonWriter writeMeta(AltoJsonWriter text, Instant now) {
        if (query.several()) {
            text.put("\"multi-cost-types\":[");
            for (int i = 0; i < query.types().size(); i++) {
                type(text.put(i == 0 ? "" : ","), query.types().get(i));
            }
            text.put(']');
        } else {
            type(text.put("\"cost-type\":"), query.types().getFirst());
        }
        return calendars(text, now);
    }

    private static void type(AltoJsonWriter text, CostType type) {
        text.put("{\"cost-mode\":").text(type.mode().word()).put(",\"cost-metric\":").text(type.metric()).put('}');
    }

    private AltoJsonWriter calendars(AltoJsonWriter text, Instant now) {
        Map<CostCalendar, List<CostType>> told = new LinkedHashMap<>();
        for (int i = 0; i < query.types().size(); i++) {
            CostType type = query.types().get(i);
            calendar(i).ifPresent(each -> told.computeIfAbsent(each, _ -> new java.util.ArrayList<>()).add(type));
        }
        String between = ",\"calendar-response-attributes\":[";
        for (Map.Entry<CostCalendar, List<CostType>> each : told.entrySet()) {
            CostCalendar calendar = each.getKey();
            text.put(between).put('{');
            if (query.several()) {
                text.put("\"cost-type-names\":[");
                for (int i = 0; i < each.getValue().size(); i++) {
                    text.put(i == 0 ? "" : ",").text(each.getValue().get(i).name());
                }
                text.put("],");
            }
            long start = Math.floorDiv(now.getEpochSecond(), calendar.cycleSeconds()) * calendar.cycleSeconds();
            text.put("\"calendar-start-time\":").text(date(start));
            text.put(",\"time-interval-size\":").number(calendar.intervalSeconds());
            text.put(",\"number-of-intervals\":").number((long) calendar.factors().size()).put('}');
            between = ",";
        }
        return told.isEmpty() ? text : text.put(']');
    }

    /** Formats an HTTP date (RFC 9110 section 5.6.7). */
    private static String date(long epochSecond) {
        return DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", java.util.Locale.ROOT)
                .format(Instant.ofEpochSecond(epochSecond).atOffset(ZoneOffset.UTC));
    }

    private Optional<CostCalendar> calendar(int at) {
        CostType type = query.types().get(at);
        if (!query.calendared().get(at) || type.mode() != CostMode.NUMERICAL) {
            return Optional.empty();
        }
        return metrics.stream().filter(each -> each.name().equals(type.metric())).findFirst().flatMap(CostMetric::calendar);
    }

    /** Writes the map of sources to maps of destinations to costs. */
    public AltoJsonWriter writeMap(AltoJsonWriter text) {
        List<Values> told = query.types().stream().map(this::values).toList();
        List<Optional<CostCalendar>> calendars =
                java.util.stream.IntStream.range(0, told.size()).mapToObj(this::calendar).toList();
        text.put('{');
        String betweenRows = "\"";
        for (int row = 0; row < grid.rows().size(); row++) {
            int begun = text.length();
            text.put(betweenRows).put(grid.rows().get(row)).put("\":{");
            String between = "\"";
            boolean any = false;
            for (int column = 0; column < grid.columns().size(); column++) {
                if (isWritten(told, row, column)) {
                    cell(text.put(between).put(grid.columns().get(column)).put("\":"), told, calendars, row, column);
                    between = ",\"";
                    any = true;
                }
            }
            if (any) {
                text.put('}');
                betweenRows = ",\"";
            } else {
                text.cut(begun);
            }
        }
        return text.put('}');
    }

    private Values values(CostType type) {
        Values found = values.get(type);
        if (found == null) {
            throw new AssertionError("prepared for each type");
        }
        return found;
    }

    private boolean isWritten(List<Values> told, int row, int column) {
        boolean known = false;
        for (Values each : told) {
            known |= !Double.isNaN(each.at(row, column));
        }
        if (!known || query.anyOf().isEmpty()) {
            return known;
        }
        for (List<CostConstraint> all : query.anyOf()) {
            boolean passes = true;
            for (CostConstraint each : all) {
                passes &= each.passes(values(query.testable().get(each.type())).at(row, column));
            }
            if (passes) {
                return true;
            }
        }
        return false;
    }

    private void cell(AltoJsonWriter text, List<Values> told, List<Optional<CostCalendar>> calendars, int row, int column) {
        if (query.several()) {
            for (int i = 0; i < told.size(); i++) {
                value(text.put(i == 0 ? '[' : ','), told.get(i).at(row, column), calendars.get(i));
            }
            text.put(']');
        } else {
            value(text, told.getFirst().at(row, column), calendars.getFirst());
        }
    }

    private static void value(AltoJsonWriter text, double cost, Optional<CostCalendar> calendar) {
        if (Double.isNaN(cost)) {
            text.put("null");
        } else if (calendar.isPresent()) {
            char between = '[';
            for (double factor : calendar.get().factors()) {
                text.put(between).number(cost * factor);
                between = ',';
            }
            text.put(']');
        } else {
            text.number(cost);
        }
    }
}
