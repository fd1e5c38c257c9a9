package io.guidepost.proximity.topology;

import io.guidepost.base.Prefix;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash map of a million prefixes in 21 bytes a slot: columns with open addressing and linear probing. Not
 * thread-safe.
 *
 * @param <T> value of a prefix
 */
final class PrefixHashMap<T> {
    /** Load factor in per cent; the number of slots is a power of two. */
    private static final int FULL_PERCENT = 70;

    private long[] high = new long[16];
    private long[] low = new long[16];
    private byte[] length = new byte[16];
    private @Nullable Object[] values = new @Nullable Object[16];
    private int size;

    int size() {
        return size;
    }

    @Nullable T get(Prefix prefix) {
        return value(slot(prefix));
    }

    /** Sets a value; returns the old one. */
    @Nullable T put(Prefix prefix, T value) {
        int slot = slot(prefix);
        T before = value(slot);
        if (before == null) {
            if (100L * (size + 1) > (long) FULL_PERCENT * values.length) {
                grow();
                slot = slot(prefix);
            }
            size++;
        }
        set(slot, prefix.high(), prefix.low(), (byte) prefix.length(), value);
        return before;
    }

    /** Removes a prefix; returns its value. */
    @Nullable T remove(Prefix prefix) {
        int hole = slot(prefix);
        T before = value(hole);
        if (before == null) {
            return null;
        }
        size--;
        int mask = values.length - 1;
        for (int at = hole + 1 & mask; values[at] != null; at = at + 1 & mask) {
            int home = hash(high[at], low[at], length[at]) & mask;
            // Later entries of the run move into the hole, so that no search ends there too early.
            if ((at - home & mask) >= (at - hole & mask)) {
                set(hole, high[at], low[at], length[at], values[at]);
                hole = at;
            }
        }
        values[hole] = null;
        return before;
    }

    /** Passes all entries to a consumer, in no order. */
    void forEach(BiConsumer<Prefix, T> told) {
        for (int i = 0; i < values.length; i++) {
            T value = value(i);
            if (value != null) {
                told.accept(new Prefix(high[i], low[i], length[i] & 0xff), value);
            }
        }
    }

    @SuppressWarnings("unchecked") // Only values of this type are put.
    private @Nullable T value(int slot) {
        return (T) values[slot];
    }

    private void set(int slot, long newHigh, long newLow, byte newLength, @Nullable Object value) {
        high[slot] = newHigh;
        low[slot] = newLow;
        length[slot] = newLength;
        values[slot] = value;
    }

    /** Returns the slot of a prefix, or the free slot for it. */
    private int slot(Prefix prefix) {
        int mask = values.length - 1;
        int at = hash(prefix.high(), prefix.low(), (byte) prefix.length()) & mask;
        while (values[at] != null
                && (low[at] != prefix.low() || high[at] != prefix.high() || length[at] != (byte) prefix.length())) {
            at = at + 1 & mask;
        }
        return at;
    }

    private static int hash(long high, long low, byte length) {
        long mixed = (high ^ Long.rotateLeft(low, 29) ^ length) * 0x9e3779b97f4a7c15L;
        return (int) (mixed >>> 32 ^ mixed >>> 11);
    }

    private void grow() {
        long[] oldHigh = high;
        long[] oldLow = low;
        byte[] oldLength = length;
        @Nullable Object[] oldValues = values;
        int room = 2 * oldValues.length;
        high = new long[room];
        low = new long[room];
        length = new byte[room];
        values = new @Nullable Object[room];
        for (int i = 0; i < oldValues.length; i++) {
            if (oldValues[i] != null) {
                int at = hash(oldHigh[i], oldLow[i], oldLength[i]) & room - 1;
                while (values[at] != null) {
                    at = at + 1 & room - 1;
                }
                set(at, oldHigh[i], oldLow[i], oldLength[i], oldValues[i]);
            }
        }
    }
}
