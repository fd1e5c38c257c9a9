package io.guidepost.bench.scaffold;

import io.guidepost.bench.scene.BenchReport;
import java.util.ArrayList;
import java.util.List;

/** The rows of a report. */
final class FigureTable {
    private final List<List<Object>> rows = new ArrayList<>();
    final List<String> notes = new ArrayList<>();

    void row(String name, List<Double> figures, List<Double> baseline, String target) {
        rows.add(List.of(
                name, quantile(figures, 50), figures.size() == 1 ? "" : quantile(figures, 99), quantile(baseline, 50),
                quantile(baseline, 99), target));
    }

    /** Returns the nearest rank: the p99 of 20 figures is the largest. */
    private static Object quantile(List<Double> figures, int percent) {
        List<Double> sorted = figures.stream().sorted().toList();
        return sorted.isEmpty() ? "" : sorted.get((sorted.size() * percent + 99) / 100 - 1);
    }

    BenchReport report(String title) {
        return new BenchReport(title, List.of("", "median", "p99", "baseline", "baseline p99", "target"), rows, notes);
    }
}
