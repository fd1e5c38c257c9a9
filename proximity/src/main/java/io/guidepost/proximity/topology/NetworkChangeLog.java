package io.guidepost.proximity.topology;

import io.guidepost.base.Prefix;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Counts the changes of a network, and remembers the prefixes of the last ones. Not thread-safe. */
final class NetworkChangeLog {
    /** Each network counts from a number of its own, so that a count also identifies its network. */
    private static final AtomicLong STARTS = new AtomicLong(1L << 40);

    private static final byte NO_PREFIX = -1;

    private long first = STARTS.getAndAdd(1L << 40);
    private int size;
    private long[] high = new long[16];
    private long[] low = new long[16];
    private byte[] length = new byte[16];

    /** Returns the count, which grows with each change. */
    long count() {
        return first + size;
    }

    /** Counts a change without a prefix. */
    void add() {
        add(0, 0, NO_PREFIX);
    }

    void add(Prefix prefix) {
        add(prefix.high(), prefix.low(), (byte) prefix.length());
    }

    private void add(long ofHigh, long ofLow, byte ofLength) {
        if (size == 2 * TopologyLimits.CHANGES_KEPT) {
            forgetHalf();
        } else if (size == high.length) {
            high = Arrays.copyOf(high, 2 * size);
            low = Arrays.copyOf(low, 2 * size);
            length = Arrays.copyOf(length, 2 * size);
        }
        high[size] = ofHigh;
        low[size] = ofLow;
        length[size++] = ofLength;
    }

    private void forgetHalf() {
        int left = TopologyLimits.CHANGES_KEPT;
        System.arraycopy(high, left, high, 0, left);
        System.arraycopy(low, left, low, 0, left);
        System.arraycopy(length, left, length, 0, left);
        size = left;
        first += left;
    }

    /**
     * Passes the prefixes of all changes after a count to a consumer; returns false if that was too long ago, or of
     * another network.
     */
    boolean since(long count, Consumer<Prefix> told) {
        if (count < first || count > count()) {
            return false;
        }
        for (int i = (int) (count - first); i < size; i++) {
            if (length[i] != NO_PREFIX) {
                told.accept(new Prefix(high[i], low[i], length[i] & 0xff));
            }
        }
        return true;
    }
}
