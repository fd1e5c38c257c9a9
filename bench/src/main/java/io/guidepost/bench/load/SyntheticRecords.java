package io.guidepost.bench.load;

import io.guidepost.names.Guid;

/**
 * The records that benchmarks ask for: record {@code i} has a GUID and a place that follow from {@code i} alone, so
 * that an answer is checked without a table. {@code responder.c} makes the same ones.
 */
public final class SyntheticRecords {
    /** The largest number of records whose places differ by their IPv4 address alone. */
    public static final int RECORDS_MAX = 1 << 24;

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private SyntheticRecords() {}

    /** Bytes 0 to 7 of the GUID of record {@code i}. */
    static long high(long i) {
        return mix(3 * i + 1);
    }

    /** Bytes 8 to 15. */
    static long middle(long i) {
        return mix(3 * i + 2);
    }

    /** Bytes 16 to 19. */
    static int low(long i) {
        return (int) mix(3 * i + 3);
    }

    /** The GUID of record {@code i}. */
    public static Guid guid(long i) {
        return new Guid(high(i), middle(i), low(i));
    }

    /** The IPv4 address that record {@code i} is bound to, in 10.0.0.0/8. */
    static int address(long i) {
        return 0x0a000000 | (int) (i & 0xffffff);
    }

    /** The port of that place as it is loaded first; updates change it. */
    static int port(long i) {
        return 4000 + (int) (i >>> 24);
    }

    /** The finaliser of SplitMix64 (Steele, Lea and Flood, 2014) over a counter. */
    public static long mix(long counter) {
        long z = counter * GOLDEN;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
