package io.guidepost.proximity;

import io.guidepost.base.Addresses;
import java.util.Arrays;

/**
 * The address space cut where the longest match changes: each range extends to the start of the next one, and has one
 * class. Class 0 means that no prefix matches. Neighbours differ in class.
 *
 * <p>Built in one sweep over prefixes sorted by base, shorter ones first: a stack holds the blocks that are open at the
 * point of the sweep, the innermost on top.
 */
public final class MatchRanges {
    private static final int DEPTH_MAX = 129;

    public int size;
    public long[] startHigh;
    public long[] startLow;
    public int[] kind;

    private final Prefixes.Family prefixes;
    private final int[] open = new int[DEPTH_MAX];
    private int opened;

    private MatchRanges(Prefixes.Family prefixes) {
        this.prefixes = prefixes;
        int room = 2 * prefixes.size + 1;
        startHigh = new long[room];
        startLow = new long[room];
        kind = new int[room];
    }

    /** Cuts the space of one family; {@code classes} has the class of each prefix, from 1. */
    public static MatchRanges of(Prefixes.Family sorted, int[] classes) {
        MatchRanges ranges = new MatchRanges(sorted);
        ranges.start(0, 0, 0);
        for (int i = 0; i < sorted.size; i++) {
            ranges.closeBefore(sorted.high[i], sorted.low[i], classes);
            ranges.start(sorted.high[i], sorted.low[i], classes[i]);
            ranges.open[ranges.opened++] = i;
        }
        while (ranges.opened > 0) {
            ranges.close(classes);
        }
        ranges.startHigh = Arrays.copyOf(ranges.startHigh, ranges.size);
        ranges.startLow = Arrays.copyOf(ranges.startLow, ranges.size);
        ranges.kind = Arrays.copyOf(ranges.kind, ranges.size);
        return ranges;
    }

    private void closeBefore(long high, long low, int[] classes) {
        while (opened > 0) {
            int top = open[opened - 1];
            int length = prefixes.length(top);
            if ((high & Addresses.highMask(length)) == prefixes.high[top]
                    && (low & Addresses.lowMask(length)) == prefixes.low[top]) {
                return;
            }
            close(classes);
        }
    }

    /** Ends the innermost open block: the block around it continues. */
    private void close(int[] classes) {
        int top = open[--opened];
        int length = prefixes.length(top);
        long endHigh = prefixes.high[top] | ~Addresses.highMask(length);
        long endLow = prefixes.low[top] | ~Addresses.lowMask(length);
        long high = endLow == -1 ? endHigh + 1 : endHigh;
        long low = endLow + 1;
        boolean endOfSpace = (high | low) == 0;
        if (!endOfSpace) {
            start(high, low, opened == 0 ? 0 : classes[open[opened - 1]]);
        }
    }

    private void start(long high, long low, int newKind) {
        if (size > 0 && startHigh[size - 1] == high && startLow[size - 1] == low) {
            size--;
        }
        if (size == 0 || kind[size - 1] != newKind) {
            startHigh[size] = high;
            startLow[size] = low;
            kind[size] = newKind;
            size++;
        }
    }

    /** Returns the class of an address. */
    public int kindOf(long high, long low) {
        int from = 0;
        int to = size - 1;
        while (from < to) {
            int middle = (from + to + 1) >>> 1;
            int order = Long.compareUnsigned(startHigh[middle], high);
            order = order != 0 ? order : Long.compareUnsigned(startLow[middle], low);
            if (order <= 0) {
                from = middle;
            } else {
                to = middle - 1;
            }
        }
        return kind[from];
    }

    /** Returns how many of the 2^32 IPv4 addresses match a prefix. */
    long ipv4Matched() {
        long matched = 0;
        for (int i = 0; i < size; i++) {
            long end = i + 1 < size ? startHigh[i + 1] >>> 32 : 1L << 32;
            matched += kind[i] == 0 ? 0 : end - (startHigh[i] >>> 32);
        }
        return matched;
    }
}
