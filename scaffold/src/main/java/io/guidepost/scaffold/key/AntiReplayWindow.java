package io.guidepost.scaffold.key;

/**
 * Which sequence numbers have been taken: each once, and none that is more than 64 behind the highest (RFC 6479 tells why and
 * how). Any thread may use it.
 */
final class AntiReplayWindow {
    private static final int BITS = Long.SIZE;

    private long highest = -1;
    private long taken;

    synchronized long highest() {
        return highest;
    }

    /** Begins behind a number: it and all before count as taken. */
    synchronized void begin(long behind) {
        highest = behind;
        taken = -1;
    }

    /** Returns whether a number would be taken. */
    synchronized boolean isNew(long number) {
        long behind = highest - number;
        return behind < 0 || behind < BITS && (taken >>> behind & 1) == 0;
    }

    /** Takes a number whose message is authentic; false if it was taken before, or is too old to tell. */
    synchronized boolean take(long number) {
        if (!isNew(number)) {
            return false;
        }
        long ahead = number - highest;
        if (ahead > 0) {
            taken = ahead < BITS ? taken << ahead : 0;
            highest = number;
        }
        taken |= 1L << highest - number;
        return true;
    }
}
