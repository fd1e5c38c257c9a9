package io.guidepost.bench.scene;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A plot of rates over time, with the time of a flood marked. */
public final class RatePlot {
    private static final int WIDTH = 800;
    private static final int HEIGHT = 360;
    private static final int LEFT = 80;
    private static final int RIGHT = 20;
    private static final int TOP = 50;
    private static final int BOTTOM = 60;
    private static final int STEPS = 5;
    private static final List<String> COLOURS = List.of("#0b6e4f", "#c1292e", "#555555", "#235789");

    private final String title;
    private final String rate;
    private final double seconds;
    private final double from;
    private final double to;
    private final Map<String, double[]> lines = new LinkedHashMap<>();

    /**
     * Creates an empty plot.
     *
     * @param rate label of the axis
     * @param seconds length of the lines
     * @param from start of the flood
     * @param to end of it
     */
    public RatePlot(String title, String rate, double seconds, double from, double to) {
        this.title = title;
        this.rate = rate;
        this.seconds = seconds;
        this.from = from;
        this.to = to;
    }

    /** Adds a line of rates per second, at even distances. */
    public void line(String name, double[] rates) {
        lines.put(name, rates);
    }

    /** Returns the plot as SVG. */
    public String svg() {
        double most = lines.values().stream()
                .flatMapToDouble(java.util.Arrays::stream)
                .max()
                .orElse(1);
        double top = Math.max(1, most * 1.1);
        StringBuilder svg = new StringBuilder();
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ").append(WIDTH).append(' ').append(HEIGHT)
                .append("\" font-family=\"sans-serif\" font-size=\"12\">\n");
        add(svg, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
        add(svg, "<text x=\"%d\" y=\"20\" font-size=\"15\">%s</text>", LEFT, title);
        add(svg, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#f3e3c3\"/>",
                x(from), TOP, x(to) - x(from), HEIGHT - TOP - BOTTOM);
        add(svg, "<text x=\"%.1f\" y=\"%d\">flood</text>", x(from) + 6, TOP + 16);
        for (int i = 0; i <= STEPS; i++) {
            double value = top * i / STEPS;
            add(svg, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#cccccc\"/>",
                    LEFT, WIDTH - RIGHT, y(value, top), y(value, top));
            add(svg, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%,.0f</text>", LEFT - 6, y(value, top) + 4, value);
        }
        int step = (int) Math.max(1, Math.ceil(seconds / 15));
        for (int second = 0; second <= seconds; second += step) {
            add(svg, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d s</text>",
                    x(second), HEIGHT - BOTTOM + 18, second);
        }
        add(svg, "<text x=\"%d\" y=\"%d\">%s</text>", LEFT, TOP - 8, rate);
        int number = 0;
        for (Map.Entry<String, double[]> each : lines.entrySet()) {
            draw(svg, each.getKey(), each.getValue(), top, number++);
        }
        return svg.append("</svg>\n").toString();
    }

    private void draw(StringBuilder svg, String name, double[] rates, double top, int number) {
        String colour = COLOURS.get(number % COLOURS.size());
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < rates.length; i++) {
            points.append(String.format(
                    Locale.ROOT, "%.1f,%.1f ", x(seconds * (i + 0.5) / rates.length), y(rates[i], top)));
        }
        add(svg, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>",
                points.toString().strip(), colour);
        int left = LEFT + number * 220;
        add(svg, "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"3\"/>",
                left, left + 20, HEIGHT - 16, HEIGHT - 16, colour);
        add(svg, "<text x=\"%d\" y=\"%d\">%s</text>", left + 26, HEIGHT - 12, name);
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation is of a library that is not among the dependencies.
    private static void add(StringBuilder svg, String form, Object... values) {
        svg.append(String.format(Locale.ROOT, form, values)).append('\n');
    }

    private double x(double second) {
        return LEFT + (WIDTH - LEFT - RIGHT) * second / seconds;
    }

    private double y(double value, double top) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top;
    }
}
