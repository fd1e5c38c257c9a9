package io.guidepost.lab.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A line chart over two axes as SVG 1.1: a light ground, ticks at round numbers, a legend, and colours for the
 * colour-blind (M. Okabe and K. Ito, "Color Universal Design", 2008); lines differ in their dashes too. Not
 * thread-safe.
 */
public final class LineChart {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 460;
    private static final int LEFT = 70;
    private static final int RIGHT = 740;
    private static final int TOP = 50;
    private static final int BOTTOM = 400;
    private static final int LEGEND_STEP = 19;
    static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000");
    private static final List<String> DASHES = List.of("", "7 3", "2 3", "9 3 2 3", "14 4", "4 2", "1 4");

    /** A scale from least to most, with its ticks. */
    private record Axis(String title, double least, double most, boolean log, List<Double> ticks) {
        double part(double value) {
            double within = Math.clamp(value, least, most);
            return log
                    ? Math.log(within / least) / Math.log(most / least)
                    : (within - least) / (most - least);
        }
    }

    /** The position of the legend. */
    public enum Legend {
        TOP_LEFT,
        BOTTOM_RIGHT
    }

    private record Line(String name, double[] x, double[] y) {}

    private final String title;
    private final Legend legend;
    private final List<Line> lines = new ArrayList<>();
    private Axis across = new Axis("", 0, 1, false, List.of());
    private Axis up = new Axis("", 0, 1, false, List.of());

    public LineChart(String title, Legend legend) {
        this.title = title;
        this.legend = legend;
    }

    /** Sets a linear axis from left to right. */
    public LineChart across(String what, double least, double most) {
        across = new Axis(what, least, most, false, ticks(least, most));
        return this;
    }

    /** Sets a logarithmic axis from left to right; both ends are above zero. */
    public LineChart acrossLog(String what, double least, double most) {
        across = new Axis(what, least, most, true, logTicks(least, most));
        return this;
    }

    /** Sets a linear axis upwards. */
    public LineChart up(String what, double least, double most) {
        up = new Axis(what, least, most, false, ticks(least, most));
        return this;
    }

    /** Adds a line through points, in the next colour; points beyond an axis are drawn at its end. */
    public LineChart line(String name, double[] x, double[] y) {
        lines.add(new Line(name, x.clone(), y.clone()));
        return this;
    }

    /** Returns round numbers, about six of them. */
    public static List<Double> ticks(double least, double most) {
        double rough = (most - least) / 6;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double digit = rough / power;
        double step = power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
        List<Double> ticks = new ArrayList<>();
        for (long i = (long) Math.ceil(least / step - 1e-9); i * step <= most + step * 1e-9; i++) {
            ticks.add(i * step);
        }
        return ticks;
    }

    /** Returns one, two and five of each power of ten. */
    public static List<Double> logTicks(double least, double most) {
        List<Double> ticks = new ArrayList<>();
        for (double power = Math.pow(10, Math.floor(Math.log10(least))); power <= most; power *= 10) {
            for (double each : new double[] {power, 2 * power, 5 * power}) {
                if (each >= least * (1 - 1e-9) && each <= most * (1 + 1e-9)) {
                    ticks.add(each);
                }
            }
        }
        return ticks;
    }

    /** Returns the chart. */
    public String svg() {
        SvgWriter svg = new SvgWriter(WIDTH, HEIGHT, title);
        svg.text(LEFT, 28, "start", 16, title);
        for (double tick : across.ticks) {
            double x = x(tick);
            svg.line(x, TOP, x, BOTTOM, "#dddddd", 1, "");
            svg.text(x, BOTTOM + 18, "middle", 12, number(tick));
        }
        for (double tick : up.ticks) {
            double y = y(tick);
            svg.line(LEFT, y, RIGHT, y, "#dddddd", 1, "");
            svg.text(LEFT - 8, y + 4, "end", 12, number(tick));
        }
        svg.line(LEFT, BOTTOM, RIGHT, BOTTOM, "#333333", 1, "");
        svg.line(LEFT, TOP, LEFT, BOTTOM, "#333333", 1, "");
        svg.text((LEFT + RIGHT) / 2.0, BOTTOM + 42, "middle", 13, across.title);
        svg.upwards(20, (TOP + BOTTOM) / 2.0, 13, up.title);
        for (int i = 0; i < lines.size(); i++) {
            svg.path(points(lines.get(i)), colour(i), DASHES.get(i % DASHES.size()));
        }
        legend(svg);
        return svg.end();
    }

    private void legend(SvgWriter svg) {
        int longest = lines.stream().mapToInt(line -> line.name.length()).max().orElse(0);
        double x = legend == Legend.TOP_LEFT ? LEFT + 16 : RIGHT - 62 - 6.7 * longest;
        double y = legend == Legend.TOP_LEFT ? TOP + 18 : BOTTOM - 8 - LEGEND_STEP * (lines.size() - 0.5);
        svg.box(x - 8, y - 14, 58 + 6.7 * longest, LEGEND_STEP * lines.size() + 8, "#ffffff");
        for (int i = 0; i < lines.size(); i++) {
            double at = y + LEGEND_STEP * i;
            svg.line(x, at, x + 34, at, colour(i), 2.2, DASHES.get(i % DASHES.size()));
            svg.text(x + 42, at + 4, "start", 12, lines.get(i).name);
        }
    }

    private static String colour(int line) {
        return COLOURS.get(line % COLOURS.size());
    }

    private double[][] points(Line line) {
        double[][] points = new double[line.x.length][];
        for (int i = 0; i < points.length; i++) {
            points[i] = new double[] {x(line.x[i]), y(line.y[i])};
        }
        return points;
    }

    private double x(double value) {
        return LEFT + across.part(value) * (RIGHT - LEFT);
    }

    private double y(double value) {
        return BOTTOM - up.part(value) * (BOTTOM - TOP);
    }

    /** Returns a number with no more decimals than it needs. */
    public static String number(double value) {
        String text = String.format(Locale.ROOT, "%.4f", value);
        return text.replaceAll("\\.?0+$", "");
    }
}
