package io.guidepost.server.cli;

import io.guidepost.gnrs.GnrsAnswer;
import io.guidepost.gnrs.GnrsAnswer.Outcome;
import io.guidepost.gnrs.GnrsRequest.Kind;
import io.guidepost.server.Json;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Round-trip times of answered requests, by kind. */
final class LatencySummary {
    private static final int DIGITS = 3;

    private final Map<Kind, Histogram> micros = new EnumMap<>(Kind.class);

    void note(GnrsAnswer answer) {
        if (answer.outcome() == Outcome.SUCCESS || answer.outcome() == Outcome.FAILED) {
            micros.computeIfAbsent(answer.request().kind(), each -> new Histogram(DIGITS))
                    .recordValue(answer.roundTripNanos() / 1000);
        }
    }

    Table table() {
        Table table = new Table("round trip", "requests", "p50 µs", "p90 µs", "p99 µs", "p99.9 µs", "max µs");
        micros.forEach((kind, each) -> table.row(
                kind.name().toLowerCase(Locale.ROOT),
                each.getTotalCount(),
                each.getValueAtPercentile(50),
                each.getValueAtPercentile(90),
                each.getValueAtPercentile(99),
                each.getValueAtPercentile(99.9),
                each.getMaxValue()));
        return table;
    }

    Map<String, Object> json() {
        Map<String, Object> kinds = Json.object();
        micros.forEach((kind, each) -> kinds.put(
                kind.name().toLowerCase(Locale.ROOT),
                Json.object(
                        "requests", each.getTotalCount(),
                        "microsP50", each.getValueAtPercentile(50),
                        "microsP90", each.getValueAtPercentile(90),
                        "microsP99", each.getValueAtPercentile(99),
                        "microsP999", each.getValueAtPercentile(99.9),
                        "microsMax", each.getMaxValue())));
        return kinds;
    }
}
