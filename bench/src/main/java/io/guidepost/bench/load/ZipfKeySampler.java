package io.guidepost.bench.load;

import java.util.SplittableRandom;

/**
 * Samples ranks by Zipf's law: rank {@code r} of {@code n} with a probability proportional to {@code 1 / (r + 1)^s}.
 *
 * <p>Rejection-inversion after W. Hörmann and G. Derflinger, "Rejection-inversion to generate variates from monotone
 * discrete distributions", ACM TOMACS 6 (1996): a draw from the integral of the density is rounded to a rank, and
 * rejected where the step of the rank does not cover it, which is rare. Needs no table, whatever {@code n} is.
 */
final class ZipfKeySampler {
    private final int count;
    private final double exponent;
    private final double integralOfFirst;
    private final double integralOfLast;
    private final double shortcut;

    /** Creates a sampler of ranks 0 to {@code count - 1} with an exponent above 0. */
    ZipfKeySampler(int count, double exponent) {
        if (count < 1 || !(exponent > 0)) {
            throw new IllegalArgumentException(
                    "Zipf's law needs a count of 1 or more and an exponent above 0, not " + count + " and " + exponent);
        }
        this.count = count;
        this.exponent = exponent;
        this.integralOfFirst = integral(1.5) - 1;
        this.integralOfLast = integral(count + 0.5);
        this.shortcut = 2 - inverse(integral(2.5) - density(2));
    }

    /** Draws the next rank, 0 being the most likely. */
    int draw(SplittableRandom random) {
        while (true) {
            double u = integralOfLast + random.nextDouble() * (integralOfFirst - integralOfLast);
            double x = inverse(u);
            int rank = (int) Math.clamp(x + 0.5, 1.0, count);
            if (rank - x <= shortcut || u >= integral(rank + 0.5) - density(rank)) {
                return rank - 1;
            }
        }
    }

    private double density(double x) {
        return Math.exp(-exponent * Math.log(x));
    }

    /**
     * Returns the integral of the density, {@code (x^(1-s) - 1) / (1-s)}, which is {@code ln x} for an exponent of 1.
     */
    private double integral(double x) {
        double log = Math.log(x);
        return expm1Ratio((1 - exponent) * log) * log;
    }

    private double inverse(double x) {
        double t = Math.max(-1, x * (1 - exponent));
        return Math.exp(log1pRatio(t) * x);
    }

    /** Computes {@code (e^x - 1) / x}, by its series near 0. */
    private static double expm1Ratio(double x) {
        return Math.abs(x) > 1e-8 ? Math.expm1(x) / x : 1 + x / 2 * (1 + x / 3);
    }

    /** Computes {@code ln(1 + x) / x}, by its series near 0. */
    private static double log1pRatio(double x) {
        return Math.abs(x) > 1e-8 ? Math.log1p(x) / x : 1 - x * (0.5 - x / 3);
    }
}
