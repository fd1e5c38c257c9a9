package io.guidepost.lab.asgraph;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A sampler of weighted numbers from 0, among them of Zipf distributions. Immutable. */
public final class WeightedSampler {
    /** The cumulative weights. */
    private final double[] sums;

    private WeightedSampler(double[] sums) {
        this.sums = sums;
    }

    /** Creates a sampler of weights that are not negative, and not all zero. */
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
     * Creates a sampler of the Mandelbrot-Zipf law: rank r, from 1, in proportion to {@code (r + q)^-alpha}. The number
     * drawn is the rank less 1.
     */
    public static WeightedSampler mandelbrotZipf(int count, double alpha, double q) {
        double[] weights = new double[count];
        for (int i = 0; i < count; i++) {
            weights[i] = Math.pow(1 + i + q, -alpha);
        }
        return of(weights);
    }

    /** Draws a number. */
    public int draw(SplittableRandom random) {
        return drawBelow(random, sums.length);
    }

    /** Draws a number below a bound, by the weights of those alone; they must not all be zero. */
    public int drawBelow(SplittableRandom random, int bound) {
        double at = random.nextDouble() * sums[bound - 1];
        int found = Arrays.binarySearch(sums, 0, bound, at);
        // A sum that is hit exactly belongs to the next number, as each owns the range from the sum before it.
        int drawn = found < 0 ? ~found : found + 1;
        while (drawn < bound - 1 && sums[drawn] == at) {
            drawn++;
        }
        return Math.min(drawn, bound - 1);
    }

    /** Returns the share of a number, from 0 to 1. */
    public double share(int number) {
        return (sums[number] - (number == 0 ? 0 : sums[number - 1])) / sums[sums.length - 1];
    }
}
