package io.guidepost.bench.gate;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A row of the gate: how much more processor time a figure of a scene takes than its baseline of the same run.
 *
 * @param name for people
 * @param scene of {@code guidepost bench}, with its options
 * @param ours figure of this project
 * @param baseline figure of what it is compared with
 * @param expected ours divided by the baseline
 */
record GateExpectation(String name, String scene, GateFigure ours, GateFigure baseline, double expected) {
    /** Share of the expected speed that noise does not reach, and a slowdown by a third does. */
    static final double SHARE_LEAST = 0.75;

    private static final int COLUMNS = 5;

    /** Parses a line; throws IllegalArgumentException. */
    static GateExpectation parse(String line) {
        List<String> cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
        if (cells.size() != COLUMNS) {
            throw new IllegalArgumentException("a row has " + COLUMNS + " columns, name | scene | ours | baseline | ratio");
        }
        double expected = Double.parseDouble(cells.getLast());
        if (!(expected > 0) || Double.isInfinite(expected)) {
            throw new IllegalArgumentException("the ratio " + cells.getLast() + " is not above 0");
        }
        return new GateExpectation(cells.get(0), cells.get(1), GateFigure.parse(cells.get(2)), GateFigure.parse(cells.get(3)), expected);
    }

    /** Formats a ratio in three digits. */
    static String number(double ratio) {
        return String.format(Locale.ROOT, ratio >= 10 ? "%.1f" : ratio >= 1 ? "%.2f" : "%.3f", ratio);
    }

    /** Returns the largest ratio that passes. */
    double most() {
        return expected / SHARE_LEAST;
    }

    /** Returns which share of the expected speed a ratio is. */
    double share(double ratio) {
        return expected / ratio;
    }

    boolean holds(double ratio) {
        return share(ratio) >= SHARE_LEAST;
    }
}
