package io.guidepost.lab.dmap;

import io.guidepost.lab.chart.BarChart;
import io.guidepost.lab.chart.LineChart;
import io.guidepost.lab.dmap.StudyResult.Chosen;
import io.guidepost.lab.dmap.StudyResult.Churned;
import io.guidepost.lab.dmap.StudyResult.Closeness;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Draws the charts of a study. */
final class StudyCharts {
    /** Points of a curve: at each two hundredth of the share. */
    private static final int STEPS = 200;

    /** The share from which the tail is drawn, in which methods differ. */
    private static final double SLOW_FROM = 0.8;

    private StudyCharts() {}

    /** Returns the cumulative distribution of response times, for odd numbers of replicas. */
    static String responseTimes(StudyResult result) {
        Closeness closest = result.closest().getFirst();
        LineChart chart = new LineChart("Round trip to the closest replica", LineChart.Legend.BOTTOM_RIGHT)
                .acrossLog("milliseconds", 2, 1000)
                .up("share of look-ups", 0, 1);
        for (int k = 1; k <= closest.byReplicas().size(); k += 2) {
            LatencyStatistics tally = closest.byReplicas().get(k - 1);
            chart.line("K = " + k, shares().map(tally::quantileMillis).toArray(), shares().toArray());
        }
        return chart.svg();
    }

    /** Returns the slowest fifth of the same for methods, under the noise of the settings. */
    static String methods(StudyResult result) {
        LineChart chart = new LineChart(
                        "Response time by method, the slowest fifth, K = " + result.settings().replicas() + ", ordinary noise",
                        LineChart.Legend.BOTTOM_RIGHT)
                .acrossLog("milliseconds", 20, 2000)
                .up("share of look-ups", SLOW_FROM, 1);
        List<String> shown = List.of("random", "least hops", "shortest path", "measured", LookupMethod.GUIDEPOST.name());
        for (Chosen each : result.choices()) {
            if (shown.contains(each.method().name())) {
                double[] slow = shares().filter(share -> share >= SLOW_FROM).toArray();
                chart.line(
                        each.method().name(), Arrays.stream(slow).map(each.tally()::quantileMillis).toArray(), slow);
            }
        }
        return chart.svg();
    }

    /** Returns the 95th percentile of each method. */
    static String improvements(StudyResult result) {
        BarChart bars = new BarChart(
                "95th percentile of the response time, K = " + result.settings().replicas() + ", ordinary noise",
                "milliseconds");
        for (Chosen each : result.choices()) {
            bars.bar(
                    each.method().name(),
                    each.tally().quantileMillis(0.95),
                    each.method().equals(LookupMethod.GUIDEPOST) ? 1 : 0);
        }
        return bars.svg();
    }

    /** Returns the cumulative distribution of the load ratio over ASes. */
    static String storage(StudyResult result) {
        LineChart chart = new LineChart(
                        "Names kept, against addresses announced, K = " + result.settings().replicas(),
                        LineChart.Legend.BOTTOM_RIGHT)
                .across("load ratio: share of the copies over share of the address space", 0, 4)
                .up("share of ASes", 0, 1);
        for (StorageLoad load : result.loads()) {
            chart.line(
                    String.format(Locale.ROOT, "%,d names", load.guids()),
                    shares().map(load::quantile).toArray(),
                    shares().toArray());
        }
        return chart.svg();
    }

    /** Returns the share of look-ups whose first replica lacked the record. */
    static String churnMissing(StudyResult result) {
        return churn(
                result,
                "First replica not there",
                "per cent of look-ups",
                each -> 100 * each.all().firstMissingShare());
    }

    /** Returns the 95th percentile after changes. */
    static String churnTimes(StudyResult result) {
        return churn(
                result,
                "95th percentile of the response time",
                "milliseconds",
                each -> each.all().quantileMillis(0.95));
    }

    private static String churn(StudyResult result, String title, String unit, ToDoubleFunction<Churned> value) {
        double most = result.churn().stream().mapToDouble(value).max().orElse(1);
        LineChart chart = new LineChart(
                        title + " after prefixes changed, K = " + result.settings().replicas(), LineChart.Legend.TOP_LEFT)
                .across("per cent of the prefixes that changed between insert and look-up", 0, 10)
                .up(unit, 0, Math.max(1, 1.3 * most));
        for (String change : result.churn().stream().map(Churned::change).distinct().toList()) {
            List<Churned> points = result.churn().stream().filter(each -> each.change().equals(change)).toList();
            chart.line(
                    change,
                    points.stream().mapToDouble(each -> 100 * each.share()).toArray(),
                    points.stream().mapToDouble(value).toArray());
        }
        return chart.svg();
    }

    private static DoubleStream shares() {
        return IntStream.rangeClosed(1, STEPS).mapToDouble(i -> (double) i / STEPS);
    }
}
