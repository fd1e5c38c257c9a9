package io.guidepost.lab.dmap;

import java.util.Arrays;

/**
 * Latencies and costs of look-ups: a histogram with exact sums. Quantiles are exact below {@value #FINE} microseconds
 * and right to a thousandth above. Tallies of several threads add up to the same in any order. Not thread-safe.
 */
public final class LatencyStatistics {
    /** Steps of each doubling. */
    private static final int FINE = 1 << 11;

    private static final int FINE_BITS = 11;

    /** Doublings above the fine steps: up to 2^43 microseconds, three months. */
    private static final int DOUBLINGS = 32;

    private long[] steps = new long[FINE];
    private long answered;
    private long sumMicros;
    private long failed;
    private long questions;
    private long firstMissing;

    /** Records a response time. */
    void answered(long micros) {
        int step = step(micros);
        if (step >= steps.length) {
            steps = Arrays.copyOf(steps, Math.max(step + 1, 2 * steps.length));
        }
        steps[step]++;
        answered++;
        sumMicros += micros;
    }

    /** Records a look-up without an answer. */
    void failed() {
        failed++;
    }

    /** Records the number of requests of a look-up. */
    void asked(int count) {
        questions += count;
    }

    /** Records a look-up whose first replica lacked the record. */
    void firstMissing() {
        firstMissing++;
    }

    private static int step(long micros) {
        if (micros < FINE) {
            return (int) micros;
        }
        int doubling = Long.SIZE - Long.numberOfLeadingZeros(micros) - FINE_BITS;
        if (doubling > DOUBLINGS) {
            throw new IllegalArgumentException("no look-up takes " + micros + " microseconds");
        }
        return FINE + (doubling - 1) * (FINE / 2) + (int) (micros >>> doubling) - FINE / 2;
    }

    /** Returns the middle of a step. */
    private static double micros(int step) {
        if (step < FINE) {
            return step;
        }
        int doubling = 1 + (step - FINE) / (FINE / 2);
        long least = (long) (FINE / 2 + (step - FINE) % (FINE / 2)) << doubling;
        return least + ((1L << doubling) - 1) / 2.0;
    }

    void add(LatencyStatistics other) {
        if (other.steps.length > steps.length) {
            steps = Arrays.copyOf(steps, other.steps.length);
        }
        for (int i = 0; i < other.steps.length; i++) {
            steps[i] += other.steps[i];
        }
        answered += other.answered;
        sumMicros += other.sumMicros;
        failed += other.failed;
        questions += other.questions;
        firstMissing += other.firstMissing;
    }

    /** Returns the number of look-ups with an answer. */
    public long answered() {
        return answered;
    }

    /** Returns the number of look-ups, answered or not. */
    public long lookups() {
        return answered + failed;
    }

    /** Returns the mean response time, in milliseconds; 0 if there is none. */
    public double meanMillis() {
        return answered == 0 ? 0 : sumMicros / 1e3 / answered;
    }

    /** Returns a quantile of the response times, in milliseconds; 0 if there is none. */
    public double quantileMillis(double share) {
        long wanted = Math.max(1, (long) Math.ceil(share * answered));
        long passed = 0;
        for (int i = 0; i < steps.length; i++) {
            passed += steps[i];
            if (passed >= wanted) {
                return micros(i) / 1e3;
            }
        }
        return 0;
    }

    /** Returns the share of look-ups without an answer, from 0 to 1. */
    public double failedShare() {
        return share(failed);
    }

    /** Returns the share of look-ups whose first replica lacked the record, from 0 to 1. */
    public double firstMissingShare() {
        return share(firstMissing);
    }

    /** Returns the mean number of requests of a look-up. */
    public double questionsMean() {
        return share(questions);
    }

    private double share(long part) {
        return lookups() == 0 ? 0 : (double) part / lookups();
    }
}
