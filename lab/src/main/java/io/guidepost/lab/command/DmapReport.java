package io.guidepost.lab.command;

import io.guidepost.lab.dmap.LatencyStatistics;
import io.guidepost.lab.dmap.LookupMethod;
import io.guidepost.lab.dmap.NetworkNoise;
import io.guidepost.lab.dmap.StorageLoad;
import io.guidepost.lab.dmap.StudyResult;
import io.guidepost.lab.dmap.StudyResult.Assumed;
import io.guidepost.lab.dmap.StudyResult.Chosen;
import io.guidepost.lab.dmap.StudyResult.Churned;
import io.guidepost.lab.dmap.StudyResult.Closeness;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tells what the DMap study found, as tables or as values for JSON. */
final class DmapReport {
    /** Mean, median and 95th percentile of the paper for the numbers of replicas that it tells of. */
    private static final Map<Integer, double[]> PAPER =
            Map.of(1, new double[] {74.5, 57.1, 172.8}, 5, new double[] {49.1, 40.5, 86.1});

    private DmapReport() {}

    static String text(StudyResult result) {
        int k = result.settings().replicas();
        return String.join(
                "\n",
                input(result),
                "Round trip to the closest replica when all is well, ms: mean, median, 95th percentile",
                closest(result),
                "Methods on an ordinary day, K = " + k + ", ms: " + weather(result.settings().weather()),
                methods(result),
                "95th percentile under other assumptions, K = " + k + ", ms",
                sensitivity(result),
                "Look-ups after prefixes changed and no record moved, K = " + k + " and K = 1",
                churn(result),
                "Load ratio of the ASes, K = " + k + ": share of the copies over share of the address space",
                storage(result));
    }

    private static String input(StudyResult result) {
        StudyResult.Input input = result.input();
        return String.format(
                Locale.ROOT,
                "%,d ASes, %,d links, %,d prefixes of %,d ASes (%.1f %% of all addresses);"
                        + " %,d names, %,d look-ups, seed %d.%n%.1f %% of the names have fewer than %d different servers.%n",
                input.ases(),
                input.links(),
                input.prefixes(),
                input.announcing(),
                100 * input.announcedShare(),
                result.settings().guids(),
                result.settings().lookups(),
                result.settings().seed(),
                100 * input.fewerServersShare(),
                result.settings().replicas());
    }

    private static String closest(StudyResult result) {
        List<Closeness> columns = result.closest();
        List<String> heading = new ArrayList<>(List.of("K", "paper"));
        columns.forEach(each -> heading.add(each.assumption()));
        TextTable table = new TextTable(heading.toArray(String[]::new));
        for (int k = 1; k <= columns.getFirst().byReplicas().size(); k++) {
            List<Object> row = new ArrayList<>(List.of(k));
            double[] paper = PAPER.get(k);
            row.add(paper == null ? "" : triple(paper[0], paper[1], paper[2]));
            for (Closeness each : columns) {
                LatencyStatistics tally = each.byReplicas().get(k - 1);
                row.add(triple(tally.meanMillis(), tally.quantileMillis(0.5), tally.quantileMillis(0.95)));
            }
            table.row(row.toArray());
        }
        return table.toString();
    }

    private static String triple(double mean, double median, double p95) {
        return String.format(Locale.ROOT, "%5.1f %5.1f %5.1f", mean, median, p95);
    }

    private static String weather(NetworkNoise weather) {
        return String.format(
                Locale.ROOT,
                "jitter %.2g, %.2g %% of exchanges and %.2g %% of servers slow by %.0f, %.2g %% down",
                weather.jitter(),
                100 * weather.slowExchanges(),
                100 * weather.slowServers(),
                weather.slowFactor(),
                100 * weather.down());
    }

    private static String methods(StudyResult result) {
        TextTable table = new TextTable(
                "method", "mean", "median", "p95", "p99", "failed", "questions", "p95 to least hops", "p95 to shortest path");
        double hops = p95(result.choices(), LookupMethod.LEAST_HOPS);
        double path = p95(result.choices(), LookupMethod.SHORTEST_PATH);
        for (Chosen each : result.choices()) {
            LatencyStatistics tally = each.tally();
            double p95 = tally.quantileMillis(0.95);
            table.row(
                    each.method().name(),
                    one(tally.meanMillis()),
                    one(tally.quantileMillis(0.5)),
                    one(p95),
                    one(tally.quantileMillis(0.99)),
                    String.format(Locale.ROOT, "%.2f %%", 100 * tally.failedShare()),
                    String.format(Locale.ROOT, "%.2f", tally.questionsMean()),
                    change(p95, hops),
                    change(p95, path));
        }
        return table.toString();
    }

    private static double p95(List<Chosen> choices, LookupMethod method) {
        return choices.stream()
                .filter(each -> each.method().equals(method))
                .findFirst()
                .orElseThrow()
                .tally()
                .quantileMillis(0.95);
    }

    private static String sensitivity(StudyResult result) {
        TextTable table = new TextTable(
                "assumption",
                LookupMethod.LEAST_HOPS.name(),
                LookupMethod.SHORTEST_PATH.name(),
                LookupMethod.GUIDEPOST.name(),
                "to least hops",
                "to shortest path");
        for (Assumed each : result.sensitivity()) {
            double hops = p95(each.choices(), LookupMethod.LEAST_HOPS);
            double path = p95(each.choices(), LookupMethod.SHORTEST_PATH);
            double ours = p95(each.choices(), LookupMethod.GUIDEPOST);
            table.row(each.assumption(), one(hops), one(path), one(ours), change(ours, hops), change(ours, path));
        }
        return table.toString();
    }

    private static String churn(StudyResult result) {
        int k = result.settings().replicas();
        TextTable table = new TextTable(
                "prefixes",
                "changed",
                "first not there",
                "not found",
                "mean ms",
                "p95 ms",
                "K = 1: not found",
                "asking before: not found",
                "p95 ms");
        for (Churned each : result.churn()) {
            table.row(
                    each.change(),
                    percent(each.share()),
                    percent(each.all().firstMissingShare()),
                    percent(each.all().failedShare()),
                    one(each.all().meanMillis()),
                    one(each.all().quantileMillis(0.95)),
                    k == 1 ? "" : percent(each.one().failedShare()),
                    percent(each.oneAndBefore().failedShare()),
                    one(each.oneAndBefore().quantileMillis(0.95)));
        }
        return table.toString();
    }

    private static String storage(StudyResult result) {
        TextTable table = new TextTable("names", "5 %", "25 %", "median", "75 %", "95 %", "largest", "ASes from 0.5 to 2");
        for (StorageLoad each : result.loads()) {
            table.row(
                    each.guids(),
                    two(each.quantile(0.05)),
                    two(each.quantile(0.25)),
                    two(each.quantile(0.5)),
                    two(each.quantile(0.75)),
                    two(each.quantile(0.95)),
                    two(each.quantile(1)),
                    percent(each.shareBetween(0.5, 2)));
        }
        return table.toString();
    }

    private static String one(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String two(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    private static String change(double now, double before) {
        return String.format(Locale.ROOT, "%+.0f %%", 100 * (now / before - 1));
    }

    /** The same as values. */
    static Map<String, Object> json(StudyResult result) {
        StudyResult.Input input = result.input();
        NetworkNoise weather = result.settings().weather();
        return JsonWriter.object(
                "ases", input.ases(),
                "links", input.links(),
                "prefixes", input.prefixes(),
                "announcingAses", input.announcing(),
                "announcedShare", input.announcedShare(),
                "fewerServersShare", input.fewerServersShare(),
                "names", result.settings().guids(),
                "lookups", result.settings().lookups(),
                "replicas", result.settings().replicas(),
                "seed", result.settings().seed(),
                "jitter", weather.jitter(),
                "slowExchanges", weather.slowExchanges(),
                "slowServers", weather.slowServers(),
                "slowFactor", weather.slowFactor(),
                "down", weather.down(),
                "timeoutMillis", weather.timeoutMillis(),
                "closest", result.closest().stream().map(DmapReport::closest).toList(),
                "methods", chosen(result.choices()),
                "sensitivity", result.sensitivity().stream()
                        .map(each -> JsonWriter.object("assumption", each.assumption(), "methods", chosen(each.choices())))
                        .toList(),
                "churn", result.churn().stream()
                        .map(each -> JsonWriter.object(
                                "change", each.change(),
                                "share", each.share(),
                                "one", times(each.one()),
                                "all", times(each.all()),
                                "oneAndBefore", times(each.oneAndBefore())))
                        .toList(),
                "storage", result.loads().stream()
                        .map(each -> JsonWriter.object(
                                "names", each.guids(),
                                "p05", each.quantile(0.05),
                                "median", each.quantile(0.5),
                                "p95", each.quantile(0.95),
                                "largest", each.quantile(1)))
                        .toList());
    }

    private static Map<String, Object> closest(Closeness each) {
        return JsonWriter.object(
                "assumption", each.assumption(),
                "byReplicas", each.byReplicas().stream().map(DmapReport::times).toList());
    }

    private static List<Map<String, Object>> chosen(List<Chosen> choices) {
        return choices.stream()
                .map(each -> JsonWriter.object("method", each.method().name(), "times", times(each.tally())))
                .toList();
    }

    private static Map<String, Object> times(LatencyStatistics tally) {
        return JsonWriter.object(
                "meanMillis", tally.meanMillis(),
                "medianMillis", tally.quantileMillis(0.5),
                "p95Millis", tally.quantileMillis(0.95),
                "p99Millis", tally.quantileMillis(0.99),
                "questions", tally.questionsMean(),
                "firstMissing", tally.firstMissingShare(),
                "failed", tally.failedShare());
    }
}
