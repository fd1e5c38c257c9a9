package io.guidepost.bench.load;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Chooses the record of the next request. Expensive draws are made ahead, so that the generator is not what is
 * measured. For one thread.
 */
public final class KeyDistribution {
    /** Distributions of requests over the records. */
    enum Distribution {
        /** Each record is equally likely. */
        UNIFORM,
        /** Zipf's law: record {@code r} as {@code 1 / (r + 1)^s}. */
        ZIPF,
        /** In order, for loading. */
        SEQUENTIAL,
        /** In the order of a list, repeated. */
        LISTED
    }

    /** Draws made ahead: long enough that the repetition of the sequence does not help a cache. */
    private static final int DRAWS = 1 << 20;

    private final Distribution distribution;
    private final int first;
    private final int count;
    private final int[] drawn;
    private long state;
    private int at;

    private KeyDistribution(Distribution distribution, int first, int count, int[] drawn, long seed) {
        if (count < 1) {
            throw new IllegalArgumentException("there must be at least one record, not " + count);
        }
        this.distribution = distribution;
        this.first = first;
        this.count = count;
        this.drawn = drawn;
        this.state = seed | 1;
    }

    /** Returns a uniform distribution over the records 0 to {@code count - 1}. */
    public static KeyDistribution uniform(int count, long seed) {
        return new KeyDistribution(Distribution.UNIFORM, 0, count, new int[0], seed);
    }

    /** Returns a Zipf distribution over the records 0 to {@code count - 1}, with an exponent above 0. */
    public static KeyDistribution zipf(int count, double exponent, long seed) {
        ZipfKeySampler sampler = new ZipfKeySampler(count, exponent);
        SplittableRandom random = new SplittableRandom(seed);
        int[] drawn = new int[DRAWS];
        Arrays.setAll(drawn, i -> sampler.draw(random));
        return new KeyDistribution(Distribution.ZIPF, 0, count, drawn, seed);
    }

    /** Returns the records {@code first} to {@code first + count - 1} in order, repeated. */
    public static KeyDistribution sequential(int first, int count) {
        return new KeyDistribution(Distribution.SEQUENTIAL, first, count, new int[0], 1);
    }

    /** Returns the records of a list in its order, repeated. */
    public static KeyDistribution listed(int[] records) {
        return new KeyDistribution(Distribution.LISTED, 0, records.length, records.clone(), 1);
    }

    /** Returns the number of the next record. */
    public int next() {
        return switch (distribution) {
            case UNIFORM -> uniformDraw();
            case ZIPF -> drawn[at++ & DRAWS - 1];
            case SEQUENTIAL -> {
                int draw = first + at;
                at = at + 1 == count ? 0 : at + 1;
                yield draw;
            }
            case LISTED -> {
                int draw = drawn[at];
                at = at + 1 == count ? 0 : at + 1;
                yield draw;
            }
        };
    }

    private int uniformDraw() {
        // Marsaglia's xorshift64*; the high bits scaled to the range as Lemire does, without a division.
        state ^= state >>> 12;
        state ^= state << 25;
        state ^= state >>> 27;
        return (int) ((state * 0x2545f4914f6cdd1dL >>> 32) * count >>> 32);
    }
}
