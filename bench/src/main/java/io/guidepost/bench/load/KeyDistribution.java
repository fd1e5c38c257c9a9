package io.guidepost.bench.load;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Which record the next request is about. Draws are made ahead of time where they cost more than a request may: the
 * generator must not be what is measured. For one thread.
 */
public final class KeyDistribution {
    /** How requests spread over the records. */
    enum Distribution {
        /** Each record as likely as any other. */
        UNIFORM,
        /** Few are asked for often: record {@code r} as {@code 1 / (r + 1)^s}. */
        ZIPF,
        /** One after the other, for loading. */
        SEQUENTIAL,
        /** As a list says, again and again. */
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

    /** Records 0 to {@code count - 1}, each as likely. */
    public static KeyDistribution uniform(int count, long seed) {
        return new KeyDistribution(Distribution.UNIFORM, 0, count, new int[0], seed);
    }

    /** Records 0 to {@code count - 1} by Zipf's law with an exponent above 0. */
    public static KeyDistribution zipf(int count, double exponent, long seed) {
        ZipfKeySampler sampler = new ZipfKeySampler(count, exponent);
        SplittableRandom random = new SplittableRandom(seed);
        int[] drawn = new int[DRAWS];
        Arrays.setAll(drawn, i -> sampler.draw(random));
        return new KeyDistribution(Distribution.ZIPF, 0, count, drawn, seed);
    }

    /** Records {@code first} to {@code first + count - 1} in order, and again from the first. */
    public static KeyDistribution sequential(int first, int count) {
        return new KeyDistribution(Distribution.SEQUENTIAL, first, count, new int[0], 1);
    }

    /** The records of a list in its order, and again from the first. */
    public static KeyDistribution listed(int[] records) {
        return new KeyDistribution(Distribution.LISTED, 0, records.length, records.clone(), 1);
    }

    /** The next record's number. */
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
