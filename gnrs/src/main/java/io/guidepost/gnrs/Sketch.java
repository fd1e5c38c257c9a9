package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsWire;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Counts of more keys than there is memory for: each key has a cell in each of two rows, and its count is at most the
 * smaller of the two (a count-min sketch: Cormode, Muthukrishnan, 2005). Which keys share a cell depends on a secret, so
 * that nobody outside can choose whom to share with. Adding and taking away keep counts exact but for such keys. One
 * thread; allocates nothing.
 */
final class Sketch {
    private static final int BITS = 12;
    private static final int CELLS = 1 << BITS;

    private final long secret;
    private final int[] cells = new int[2 * CELLS];

    /** Counts that all stand at zero. */
    Sketch(long secret) {
        this.secret = secret;
    }

    /** The key of a name: its 20 bytes folded; who wants two names to share one can have that, and shares with nobody else. */
    static long key(MemorySegment segment, long guid) {
        long end = segment.get(GnrsWire.LONG, guid + 8) ^ (long) segment.get(GnrsWire.INT, guid + 16) << 16;
        return segment.get(GnrsWire.LONG, guid) + Long.rotateLeft(end * 0xd6e8feb86659fd93L, 32);
    }

    /** What a key is called here; the other methods take this. */
    long hash(long key) {
        long hash = (key ^ secret) * 0x9e3779b97f4a7c15L;
        hash = (hash ^ hash >>> 32) * 0xd6e8feb86659fd93L;
        return hash ^ hash >>> 29;
    }

    private static int first(long hash) {
        return (int) hash & CELLS - 1;
    }

    private static int second(long hash) {
        return CELLS + ((int) (hash >>> 32) & CELLS - 1);
    }

    /** Adds a number, which may be negative, to a key's count. */
    void add(long hash, int number) {
        cells[first(hash)] += number;
        cells[second(hash)] += number;
    }

    /** A key's count, or more. */
    int count(long hash) {
        return Math.min(cells[first(hash)], cells[second(hash)]);
    }

    /** Sets all counts to zero. */
    void clear() {
        Arrays.fill(cells, 0);
    }
}
