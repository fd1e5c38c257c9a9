package io.guidepost.lab.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A horizontal bar chart, each bar with its name before it and its value behind. Not thread-safe. */
public final class BarChart {
    private static final int WIDTH = 760;
    private static final int LEFT = 230;
    private static final int RIGHT = 690;
    private static final int TOP = 62;
    private static final int STEP = 26;
    private static final int THICK = 17;

    private record Bar(String name, double value, int colour) {}

    private final String title;
    private final String unit;
    private final List<Bar> bars = new ArrayList<>();

    public BarChart(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    /** Adds a bar; equal numbers give equal colours. */
    public BarChart bar(String name, double value, int colour) {
        bars.add(new Bar(name, value, colour));
        return this;
    }

    /** Returns the chart. */
    public String svg() {
        int bottom = TOP + STEP * bars.size();
        double most = bars.stream().mapToDouble(Bar::value).max().orElse(1);
        SvgWriter svg = new SvgWriter(WIDTH, bottom + 60, title);
        svg.text(20, 28, "start", 16, title);
        for (double tick : LineChart.ticks(0, most)) {
            double x = LEFT + tick / most * (RIGHT - LEFT);
            svg.line(x, TOP - 8, x, bottom, "#dddddd", 1, "");
            svg.text(x, bottom + 18, "middle", 12, LineChart.number(tick));
        }
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            double y = TOP + STEP * i;
            double length = bar.value / most * (RIGHT - LEFT);
            svg.text(LEFT - 8, y + 13, "end", 12, bar.name);
            svg.box(LEFT, y, length, THICK, LineChart.COLOURS.get(bar.colour % LineChart.COLOURS.size()));
            svg.text(LEFT + length + 6, y + 13, "start", 12, String.format(Locale.ROOT, "%.1f", bar.value));
        }
        svg.line(LEFT, TOP - 8, LEFT, bottom, "#333333", 1, "");
        svg.text((LEFT + RIGHT) / 2.0, bottom + 42, "middle", 13, unit);
        return svg.end();
    }
}
