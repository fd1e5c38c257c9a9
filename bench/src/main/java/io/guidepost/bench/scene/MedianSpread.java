package io.guidepost.bench.scene;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A figure over several rounds: median, minimum and maximum.
 *
 * @param min smallest
 * @param median middle one, or the mean of the two in the middle
 * @param max largest
 */
public record MedianSpread(double min, double median, double max) {
    /** Returns the spread of at least one figure. */
    public static MedianSpread of(List<Double> figures) {
        if (figures.isEmpty()) {
            throw new IllegalArgumentException("a spread needs a figure");
        }
        double[] sorted = figures.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new MedianSpread(sorted[0], median, sorted[sorted.length - 1]);
    }

    /** Returns the spread of a figure of each round. */
    public static <R> MedianSpread of(List<R> rounds, ToDoubleFunction<? super R> figure) {
        return of(rounds.stream().map(figure::applyAsDouble).toList());
    }

    /** Returns the spread of a figure of one contestant divided by that of another, round by round. */
    public static <R> MedianSpread ratio(List<R> above, List<R> below, ToDoubleFunction<? super R> figure) {
        return of(IntStream.range(0, above.size())
                .mapToObj(i -> figure.applyAsDouble(above.get(i)) / figure.applyAsDouble(below.get(i)))
                .toList());
    }

    /** Returns whether all three are numbers. */
    boolean known() {
        return Double.isFinite(min + median + max);
    }

    /** Formats it as {@code median (min-max)}, in as many digits as the size deserves. */
    @Override
    public String toString() {
        if (!known()) {
            return "-";
        }
        return min == max ? number(median) : number(median) + " (" + number(min) + "-" + number(max) + ")";
    }

    /** Formats a number in as many digits as its size deserves. */
    public static String number(double value) {
        if (!Double.isFinite(value)) {
            return "-";
        }
        double size = Math.abs(value);
        int decimals = size >= 100 || value == Math.rint(value) ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
