package io.guidepost.lab.soak;

import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The summary of a run: requests by door and outcome, events with their outages, curves, and what was broken. */
final class SoakReport {
    private final long seed;
    private final double seconds;
    private final SoakRun run;
    private final List<EventInjector.Done> events;
    private final Map<SoakEvent, String> leftOut;
    private final SoakCurves curves;
    private final BrokenPromises broken;

    SoakReport(
            long seed, double seconds, SoakRun run, List<EventInjector.Done> events, Map<SoakEvent, String> leftOut, SoakCurves curves,
            BrokenPromises broken) {
        this.seed = seed;
        this.seconds = seconds;
        this.run = run;
        this.events = events;
        this.leftOut = leftOut;
        this.curves = curves;
        this.broken = broken;
    }

    String text() {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "A soak of %.0f s, seed %d%n%n", seconds, seed));
        TextTable doors = new TextTable("requests", "answered", "refused", "silent", "p50 ms", "p99 ms", "max ms");
        run.tallies().forEach(each -> doors.row(
                each.name(), each.answered(), each.refusals(), each.silences(), number(each.percentileMillis(50)),
                number(each.percentileMillis(99)), number(each.percentileMillis(100))));
        text.append(doors).append('\n');
        run.tallies().forEach(each -> each.failures().forEach(
                (how, why) -> text.append(each.name()).append(", last ").append(how).append(": ").append(why).append('\n')));
        for (WatchCheck each : run.watches()) {
            text.append("A watch was told " + each.changes() + " changes, and began anew " + each.resets() + " times.\n");
        }
        text.append("Not known of ").append(run.doubtful()).append(" names: their last write was not acknowledged.\n\n");
        TextTable happened = new TextTable("second", "event", "longest silence", "of", "");
        events.forEach(each -> happened.row(
                Math.round(each.second()), each.event().text(), each.longest().millis() + " ms", each.longest().door(), each.detail()));
        text.append(happened).append('\n');
        leftOut.forEach((event, why) -> text.append("Left out: ").append(event.text()).append(": ").append(why).append('\n'));
        for (SoakCurves.Curve each : SoakCurves.Curve.values()) {
            text.append(String.format(Locale.ROOT, "%-27s %s%n", each.text(), curves.bars(each)));
        }
        text.append('\n');
        TextTable growth = new TextTable("of the last process", "warm", "in the end", "at most");
        curves.growth()
                .forEach(each -> growth.row(each.curve().text(), number(each.warm()), number(each.last()), number(each.bound())));
        text.append(growth).append('\n');
        broken.all().forEach((promise, cases) -> {
            text.append("BROKEN ").append(cases.count()).append(" times: ").append(promise).append('\n');
            cases.cases().forEach(each -> text.append("  ").append(each).append('\n'));
        });
        return text.append(broken.count() == 0 ? "Held: every promise that was looked at.\n" : "NOT held, with --seed " + seed + ".\n")
                .toString();
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "too short to tell" : String.format(Locale.ROOT, "%.1f", value);
    }

    String json() {
        Map<String, Object> series = JsonWriter.object();
        for (SoakCurves.Curve each : SoakCurves.Curve.values()) {
            series.put(each.text(), curves.values(each));
        }
        List<Object> promises = new ArrayList<>();
        broken.all().forEach((promise, cases) ->
                promises.add(JsonWriter.object("promise", promise, "count", cases.count(), "cases", cases.cases())));
        Map<String, Object> skipped = JsonWriter.object();
        leftOut.forEach((event, why) -> skipped.put(event.text(), why));
        return JsonWriter.text(JsonWriter.object(
                "seed", seed,
                "seconds", seconds,
                "requests", run.tallies().stream().map(each -> JsonWriter.object(
                        "of", each.name(),
                        "answered", each.answered(),
                        "refused", each.refusals(),
                        "silent", each.silences(),
                        "millisP50", each.percentileMillis(50),
                        "millisP99", each.percentileMillis(99))).toList(),
                "watches", run.watches().stream()
                        .map(each -> JsonWriter.object("changes", each.changes(), "resets", each.resets())).toList(),
                "doubtful", run.doubtful(),
                "events", events.stream().map(each -> JsonWriter.object(
                        "second", each.second(),
                        "event", each.event().text(),
                        "detail", each.detail(),
                        "silentMillis", outages(each))).toList(),
                "leftOut", skipped,
                "curves", series,
                "growth", curves.growth().stream().filter(each -> !Double.isNaN(each.warm())).map(each -> JsonWriter.object(
                        "of", each.curve().text(), "warm", each.warm(), "last", each.last(), "bound", each.bound())).toList(),
                "broken", promises));
    }

    private static Map<String, Object> outages(EventInjector.Done event) {
        Map<String, Object> outages = JsonWriter.object();
        event.outages().forEach(each -> outages.put(each.door(), each.millis()));
        return outages;
    }
}
