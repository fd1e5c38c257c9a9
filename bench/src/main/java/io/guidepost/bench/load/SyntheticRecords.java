package io.guidepost.bench.load;

import io.guidepost.names.Guid;

/**
 * The records of benchmarks: GUID and locator of record {@code i} follow from {@code i} alone, so that a response is
 * checked without a table. {@code responder.c} generates the same ones.
 */
public final class SyntheticRecords {
    /** The largest number of records whose locators differ in the IPv4 address alone. */
    public static final int RECORDS_MAX = 1 << 24;

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private SyntheticRecords() {}

    /** Returns the bytes 0 to 7 of the GUID of record {@code i}. */
    static long high(long i) {
        return mix(3 * i + 1);
    }

    /** Returns the bytes 8 to 15. */
    static long middle(long i) {
        return mix(3 * i + 2);
    }

    /** Returns the bytes 16 to 19. */
    static int low(long i) {
        return (int) mix(3 * i + 3);
    }

    /** Returns the GUID of record {@code i}. */
    public static Guid guid(long i) {
        return new Guid(high(i), middle(i), low(i));
    }

    /** Returns the IPv4 address of record {@code i}, in 10.0.0.0/8. */
    static int address(long i) {
        return 0x0a000000 | (int) (i & 0xffffff);
    }

    /** Returns the port of that locator as it is first loaded; updates change it. */
    static int port(long i) {
        return 4000 + (int) (i >>> 24);
    }

    /** Applies the finaliser of SplitMix64 (Steele, Lea and Flood, 2014) to a counter. */
    public static long mix(long counter) {
        long z = counter * GOLDEN;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
