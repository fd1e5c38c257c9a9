package io.guidepost.lab.dmap;

import io.guidepost.lab.chart.CsvTable;
import io.guidepost.lab.dmap.StudyResult.Assumed;
import io.guidepost.lab.dmap.StudyResult.Chosen;
import io.guidepost.lab.dmap.StudyResult.Churned;
import io.guidepost.lab.dmap.StudyResult.Closeness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes the results of a study as CSV files (RFC 4180, with a heading) and SVG charts. */
public final class StudyFiles {
    private static final int STEPS = 1000;

    private StudyFiles() {}

    /**
     * Writes all files into a folder, which is created if absent; files of an earlier study are replaced.
     *
     * @throws IOException if one cannot be written
     */
    public static void write(StudyResult result, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Map.Entry<String, String> each : contents(result).entrySet()) {
            Files.writeString(folder.resolve(each.getKey()), each.getValue(), StandardCharsets.UTF_8);
        }
    }

    /** Returns the content of each file by its name. */
    static Map<String, String> contents(StudyResult result) {
        Map<String, String> contents = new LinkedHashMap<>();
        contents.put("closest.csv", closest(result));
        contents.put("response-times.csv", responseTimes(result));
        contents.put("methods.csv", methods(result));
        contents.put("sensitivity.csv", sensitivity(result));
        contents.put("churn.csv", churn(result));
        contents.put("storage.csv", storage(result));
        contents.put("response-times.svg", StudyCharts.responseTimes(result));
        contents.put("methods.svg", StudyCharts.methods(result));
        contents.put("improvements.svg", StudyCharts.improvements(result));
        contents.put("churn-missing.svg", StudyCharts.churnMissing(result));
        contents.put("churn-times.svg", StudyCharts.churnTimes(result));
        contents.put("storage.svg", StudyCharts.storage(result));
        return contents;
    }

    private static String closest(StudyResult result) {
        CsvTable csv = new CsvTable("assumption", "replicas", "mean_ms", "median_ms", "p95_ms", "p99_ms");
        for (Closeness each : result.closest()) {
            for (int k = 1; k <= each.byReplicas().size(); k++) {
                LatencyStatistics tally = each.byReplicas().get(k - 1);
                csv.row(
                        each.assumption(), k, millis(tally.meanMillis()), millis(tally.quantileMillis(0.5)),
                        millis(tally.quantileMillis(0.95)), millis(tally.quantileMillis(0.99)));
            }
        }
        return csv.text();
    }

    private static String responseTimes(StudyResult result) {
        CsvTable csv = new CsvTable("replicas", "share", "ms");
        Closeness closest = result.closest().getFirst();
        for (int k = 1; k <= closest.byReplicas().size(); k++) {
            for (int step = 1; step <= STEPS; step++) {
                double share = (double) step / STEPS;
                csv.row(k, share, millis(closest.byReplicas().get(k - 1).quantileMillis(share)));
            }
        }
        return csv.text();
    }

    private static String methods(StudyResult result) {
        CsvTable csv = new CsvTable("method", "mean_ms", "median_ms", "p95_ms", "p99_ms", "p999_ms", "questions", "failed");
        result.choices().forEach(each -> csv.row(each.method().name(), times(each.tally())));
        return csv.text();
    }

    private static String sensitivity(StudyResult result) {
        CsvTable csv = new CsvTable(
                "assumption", "method", "mean_ms", "median_ms", "p95_ms", "p99_ms", "p999_ms", "questions", "failed");
        for (Assumed assumed : result.sensitivity()) {
            for (Chosen each : assumed.choices()) {
                csv.row(assumed.assumption(), each.method().name(), times(each.tally()));
            }
        }
        return csv.text();
    }

    private static CsvTable.Cells times(LatencyStatistics tally) {
        return CsvTable.cells(
                millis(tally.meanMillis()),
                millis(tally.quantileMillis(0.5)),
                millis(tally.quantileMillis(0.95)),
                millis(tally.quantileMillis(0.99)),
                millis(tally.quantileMillis(0.999)),
                part(tally.questionsMean()),
                part(tally.failedShare()));
    }

    private static String churn(StudyResult result) {
        CsvTable csv = new CsvTable(
                "change", "changed", "replicas", "first_missing", "not_found", "mean_ms", "median_ms", "p95_ms");
        for (Churned each : result.churn()) {
            csv.row(each.change(), each.share(), "1", churned(each.one()));
            csv.row(each.change(), each.share(), result.settings().replicas(), churned(each.all()));
            csv.row(each.change(), each.share(), "1 and before", churned(each.oneAndBefore()));
        }
        return csv.text();
    }

    private static CsvTable.Cells churned(LatencyStatistics tally) {
        return CsvTable.cells(
                part(tally.firstMissingShare()),
                part(tally.failedShare()),
                millis(tally.meanMillis()),
                millis(tally.quantileMillis(0.5)),
                millis(tally.quantileMillis(0.95)));
    }

    private static String storage(StudyResult result) {
        CsvTable csv = new CsvTable("names", "share_of_ases", "load_ratio");
        for (StorageLoad load : result.loads()) {
            for (int step = 1; step <= STEPS; step++) {
                double share = (double) step / STEPS;
                csv.row(load.guids(), share, part(load.quantile(share)));
            }
        }
        return csv.text();
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String part(double value) {
        return String.format(Locale.ROOT, "%.5f", value);
    }
}
