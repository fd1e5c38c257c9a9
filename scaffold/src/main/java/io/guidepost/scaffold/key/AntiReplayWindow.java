package io.guidepost.scaffold.key;

import java.util.Arrays;

/**
 * Which sequence numbers have been taken: each once, and none that is too far behind the highest. A ring of bits, of which whole words
 * are cleared as the highest number moves on (RFC 6479). Any thread may use it.
 */
final class AntiReplayWindow {
    private final long[] taken;
    private final int bits;
    private long highest = -1;

    /**
     * Creates a window that has taken nothing.
     *
     * @param words of 64 numbers each, a power of two; a number may be behind the highest by all but one of them
     */
    AntiReplayWindow(int words) {
        this.taken = new long[words];
        this.bits = (words - 1) * Long.SIZE;
    }

    synchronized long highest() {
        return highest;
    }

    /** Begins behind a number: it and all before count as taken. */
    synchronized void begin(long behind) {
        highest = behind;
        Arrays.fill(taken, -1);
        taken[word(behind)] = behind < 0 ? 0 : -1L >>> Long.SIZE - 1 - (behind & Long.SIZE - 1);
    }

    private int word(long number) {
        return (int) (number >> 6) & taken.length - 1;
    }

    /** Returns whether a number would be taken. */
    synchronized boolean isNew(long number) {
        long behind = highest - number;
        return behind < 0 || behind < bits && (taken[word(number)] >>> number & 1) == 0;
    }

    /** Takes a number whose message is authentic; false if it was taken before, or is too old to tell. */
    synchronized boolean take(long number) {
        if (!isNew(number)) {
            return false;
        }
        long steps = Math.min(taken.length, (number >> 6) - (highest >> 6));
        for (long i = 0; i < steps; i++) {
            taken[word(number - i * Long.SIZE)] = 0;
        }
        highest = Math.max(highest, number);
        taken[word(number)] |= 1L << number;
        return true;
    }
}
