package io.guidepost.lab.soak;

import io.guidepost.lab.chart.LineChart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What was measured of the server at even distances, and whether it grew. Thread-safe. */
final class SoakCurves {
    private static final double MEBI = 1 << 20;
    private static final int CHART_WIDTH = 760;
    private static final int CHART_HEIGHT = 460;
    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final int BARS_MAX = 60;

    /** Samples of a process before which nothing is said of its growth, and how many quarters of its life there are. */
    private static final int JUDGED_MIN = 16;

    private static final double JUDGED_SECONDS_MIN = 240;
    private static final int QUARTERS = 4;

    /**
     * What was measured at a moment; NaN what was not.
     *
     * @param second of the run
     * @param process its number
     * @param perSecond requests answered since the sample before
     * @param p99Millis of the time of these
     * @param residentBytes memory of the process that is in RAM
     * @param heapBytes used behind a collection of garbage
     * @param threads of the process
     * @param descriptors that it has open
     * @param diskBytes of its records
     */
    record Sample(
            double second, long process, double perSecond, double p99Millis, double residentBytes, double heapBytes, double threads,
            double descriptors, double diskBytes) {}

    /** A curve, and by how much it may grow over a process that is warm: a share of what it had, and so much more. */
    enum Curve {
        RATE("answers/s", Sample::perSecond, 0, Double.NaN),
        P99("p99 ms", Sample::p99Millis, 0, Double.NaN),
        RESIDENT("resident MiB", each -> each.residentBytes / MEBI, 0.05, 6),
        HEAP("heap MiB after collection", each -> each.heapBytes / MEBI, 0.05, 2),
        THREADS("threads", Sample::threads, 0, 4),
        DESCRIPTORS("descriptors", Sample::descriptors, 0, 8),
        DISK("disk MiB", each -> each.diskBytes / MEBI, 0, Double.NaN);

        private final String text;
        private final ToDoubleFunction<Sample> value;
        private final double share;
        private final double more;

        Curve(String text, ToDoubleFunction<Sample> value, double share, double more) {
            this.text = text;
            this.value = value;
            this.share = share;
            this.more = more;
        }

        String text() {
            return text;
        }

        private boolean bounded() {
            return !Double.isNaN(more);
        }
    }

    /**
     * How a curve went in the last process.
     *
     * @param warm median of the second quarter of its life; NaN if it was too short to tell
     * @param last median of the last quarter
     * @param bound that the last one must not exceed
     */
    record Growth(Curve curve, double warm, double last, double bound) {
        boolean grew() {
            return last > bound;
        }
    }

    private final List<Sample> samples = new ArrayList<>();

    synchronized void add(Sample sample) {
        samples.add(sample);
    }

    /** Returns the values of a curve that were measured, as pairs of a second and a value. */
    private synchronized List<double[]> points(Curve curve, boolean lastProcess) {
        List<double[]> points = new ArrayList<>();
        for (Sample each : samples) {
            double value = curve.value.applyAsDouble(each);
            if (!Double.isNaN(value) && (!lastProcess || each.process == samples.getLast().process)) {
                points.add(new double[] {each.second, value});
            }
        }
        return points;
    }

    /** Returns how the bounded curves went. */
    List<Growth> growth() {
        List<Growth> growths = new ArrayList<>();
        for (Curve curve : Curve.values()) {
            if (curve.bounded()) {
                List<double[]> points = points(curve, true);
                int quarter = points.size() / QUARTERS;
                boolean judged = points.size() >= JUDGED_MIN && points.getLast()[0] - points.getFirst()[0] >= JUDGED_SECONDS_MIN;
                double warm = judged ? median(points.subList(quarter, 2 * quarter)) : Double.NaN;
                double last = judged ? median(points.subList(points.size() - quarter, points.size())) : Double.NaN;
                growths.add(new Growth(curve, warm, last, warm * (1 + curve.share) + curve.more));
            }
        }
        return growths;
    }

    private static double median(List<double[]> points) {
        double[] sorted = points.stream().mapToDouble(each -> each[1]).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** Returns a curve as a line of bars between its least and its greatest value, with these; empty if nothing was measured. */
    String bars(Curve curve) {
        List<double[]> points = points(curve, false);
        if (points.isEmpty()) {
            return "";
        }
        double least = points.stream().mapToDouble(each -> each[1]).min().orElse(0);
        double most = points.stream().mapToDouble(each -> each[1]).max().orElse(0);
        StringBuilder bars = new StringBuilder();
        int count = Math.min(BARS_MAX, points.size());
        for (int i = 0; i < count; i++) {
            List<double[]> part = points.subList(i * points.size() / count, (i + 1) * points.size() / count);
            double height = most > least ? (median(part) - least) / (most - least) : 0;
            bars.append(BARS.charAt((int) Math.min(BARS.length() - 1.0, height * BARS.length())));
        }
        return String.format(Locale.ROOT, "%s  %.1f to %.1f", bars, least, most);
    }

    /** Returns all curves, one above the other, as SVG. */
    String svg(String title) {
        StringBuilder svg = new StringBuilder();
        int drawn = 0;
        for (Curve curve : Curve.values()) {
            List<double[]> points = points(curve, false);
            if (points.size() > 1) {
                double most = points.stream().mapToDouble(each -> each[1]).max().orElse(1);
                String chart = new LineChart(title, LineChart.Legend.TOP_LEFT)
                        .across("seconds", 0, points.getLast()[0])
                        .up(curve.text, 0, Math.max(1, 1.1 * most))
                        .line(curve.text, column(points, 0), column(points, 1))
                        .svg();
                svg.append("<g transform=\"translate(0 ").append(CHART_HEIGHT * drawn++).append(")\">\n").append(chart).append("</g>\n");
            }
        }
        int height = CHART_HEIGHT * Math.max(1, drawn);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + CHART_WIDTH + "\" height=\"" + height + "\" viewBox=\"0 0 "
                + CHART_WIDTH + " " + height + "\">\n" + svg + "</svg>\n";
    }

    private static double[] column(List<double[]> points, int number) {
        return points.stream().mapToDouble(each -> each[number]).toArray();
    }

    /** Returns the values of a curve, for programs. */
    List<List<Double>> values(Curve curve) {
        return points(curve, false).stream().map(each -> Arrays.stream(each).boxed().toList()).toList();
    }
}
