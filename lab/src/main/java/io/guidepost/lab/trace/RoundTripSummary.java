package io.guidepost.lab.trace;

import io.guidepost.gnrs.client.GnrsRequest.Kind;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.gnrs.client.GnrsResponse.Outcome;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Round-trip times of answered requests, by kind. */
public final class RoundTripSummary {
    private static final int DIGITS = 3;

    private final Map<Kind, Histogram> micros = new EnumMap<>(Kind.class);

    public void note(GnrsResponse answer) {
        if (answer.outcome() == Outcome.SUCCESS || answer.outcome() == Outcome.FAILED) {
            micros.computeIfAbsent(answer.request().kind(), each -> new Histogram(DIGITS))
                    .recordValue(answer.roundTripNanos() / 1000);
        }
    }

    public TextTable table() {
        TextTable table = new TextTable("round trip", "requests", "p50 µs", "p90 µs", "p99 µs", "p99.9 µs", "max µs");
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

    public Map<String, Object> json() {
        Map<String, Object> kinds = JsonWriter.object();
        micros.forEach((kind, each) -> kinds.put(
                kind.name().toLowerCase(Locale.ROOT),
                JsonWriter.object(
                        "requests", each.getTotalCount(),
                        "microsP50", each.getValueAtPercentile(50),
                        "microsP90", each.getValueAtPercentile(90),
                        "microsP99", each.getValueAtPercentile(99),
                        "microsP999", each.getValueAtPercentile(99.9),
                        "microsMax", each.getMaxValue())));
        return kinds;
    }
}
