package io.guidepost.lab.asgraph;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Draws numbers from 0, each as often as its weight says. Immutable. */
public final class WeightedSampler {
    /** The sums of the weights up to each number. */
    private final double[] sums;

    private WeightedSampler(double[] sums) {
        this.sums = sums;
    }

    /** Takes weights that are not negative, and not all zero. */
    public static WeightedSampler of(double[] weights) {
        double[] sums = new double[weights.length];
        double sum = 0;
        for (int i = 0; i < sums.length; i++) {
            sum += weights[i];
            sums[i] = sum;
        }
        if (!(sum > 0)) {
            throw new IllegalArgumentException("there is no weight above zero among " + weights.length);
        }
        return new WeightedSampler(sums);
    }

    /**
     * Popularity by the law of Mandelbrot and Zipf: rank r, from 1, in proportion to {@code (r + q)^-alpha}. The number
     * drawn is the rank less 1.
     */
    public static WeightedSampler mandelbrotZipf(int count, double alpha, double q) {
        double[] weights = new double[count];
        for (int i = 0; i < count; i++) {
            weights[i] = Math.pow(1 + i + q, -alpha);
        }
        return of(weights);
    }

    /** A number. */
    public int draw(SplittableRandom random) {
        return drawBelow(random, sums.length);
    }

    /** A number below a bound, by the weights of those alone; they must not all be zero. */
    public int drawBelow(SplittableRandom random, int bound) {
        double at = random.nextDouble() * sums[bound - 1];
        int found = Arrays.binarySearch(sums, 0, bound, at);
        // A sum that is hit exactly belongs to the next number, as each owns what lies from the sum before it.
        int drawn = found < 0 ? ~found : found + 1;
        while (drawn < bound - 1 && sums[drawn] == at) {
            drawn++;
        }
        return Math.min(drawn, bound - 1);
    }

    /** The share of a number, from 0 to 1. */
    public double share(int number) {
        return (sums[number] - (number == 0 ? 0 : sums[number - 1])) / sums[sums.length - 1];
    }
}
