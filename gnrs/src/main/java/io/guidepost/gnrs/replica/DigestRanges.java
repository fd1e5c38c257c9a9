package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.PeerWire;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collection;

/** The ranges of hashed GUIDs, the same at all servers: the unit in which servers compare digests. */
public final class DigestRanges {
    /** The number of ranges. */
    public static final int COUNT = 256;

    private DigestRanges() {}

    /** Returns the range of a GUID, 0 to 255. */
    public static int of(MemorySegment segment, long guid) {
        long z = segment.get(PeerWire.LONG, guid)
                ^ Long.rotateLeft(segment.get(PeerWire.LONG, guid + 8), 21)
                ^ segment.get(PeerWire.INT, guid + 16);
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return (int) (z >>> 56);
    }

    /** Returns whether a set, a bit for each range in four words, contains a range. */
    public static boolean contains(long[] set, int range) {
        return (set[range >>> 6] & 1L << range) != 0;
    }

    /** Adds a range to such a set. */
    public static void add(long[] set, int range) {
        set[range >>> 6] |= 1L << range;
    }

    static void remove(long[] set, int range) {
        set[range >>> 6] &= ~(1L << range);
    }

    static void clear(long[] set) {
        Arrays.fill(set, 0);
    }

    /** Returns a set of all ranges. */
    public static long[] all() {
        return new long[] {-1, -1, -1, -1};
    }

    /** Returns a set of the ranges that are in any of some sets. */
    public static long[] union(Collection<long[]> sets) {
        long[] union = new long[COUNT / Long.SIZE];
        for (long[] each : sets) {
            for (int i = 0; i < union.length; i++) {
                union[i] |= each[i];
            }
        }
        return union;
    }

    /** Returns whether such a set contains no range. */
    public static boolean isEmpty(long[] set) {
        return (set[0] | set[1] | set[2] | set[3]) == 0;
    }

    /** Returns the number of ranges in such a set. */
    public static int size(long[] set) {
        return Long.bitCount(set[0]) + Long.bitCount(set[1]) + Long.bitCount(set[2]) + Long.bitCount(set[3]);
    }
}
