package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Syndromes of the records that two servers share: of each group of {@link DigestRanges} four sums modulo the prime p = 2^61 - 1,
 *
 * <pre>
 *  s0 = sum of d       s1 = sum of g1 d       s2 = sum of g2 d       s3 = sum of g3 d
 * </pre>
 *
 * where d is made of the digest of a record and g1, g2, g3 are its GUID, cut into 7, 7 and 6 bytes. Sums are linear: what both servers
 * hold falls out of their difference. If one record of a group differs, changed or missing at one of the two, then g1, g2 and g3 are the
 * differences of s1, s2 and s3 divided by that of s0: the sums name the record, and no server has to look for it. If more differ,
 * the quotients are numbers like any other, of which one in millions is a GUID of the range that differs.
 *
 * <p>That is syndrome decoding of a single error. Minsky, Trachtenberg and Zippel (Set reconciliation with nearly optimal communication
 * complexity, 2003) reconcile sets with any bounded number of differences so; here more than one in a group is left to {@code
 * AntiEntropyScan}.
 */
public final class Syndromes {
    /** The number of groups, of eight ranges each: 32 differences at most are told. */
    public static final int GROUPS = 32;

    /** The sums of a group. */
    public static final int SUMS = 4;

    static final int GROUP_RANGES = DigestRanges.COUNT / GROUPS;

    /** A Mersenne prime, so that a product is reduced by an addition. */
    static final long PRIME = (1L << 61) - 1;

    private static final int LAST_LIMB_BITS = 48;
    private static final int LIMB_BITS = 56;

    private Syndromes() {}

    /** Returns the group of a range. */
    public static int group(int range) {
        return range / GROUP_RANGES;
    }

    /** Returns whether a number can be a sum. */
    public static boolean isSum(long number) {
        return number >= 0 && number < PRIME;
    }

    /** Returns 1 to p - 1, or 0 for the digest of an absent record. */
    private static long reduced(long digest) {
        return digest == 0 ? 0 : 1 + Long.remainderUnsigned(digest, PRIME - 1);
    }

    /** Computes by how much the sums change as the digest of a record does. */
    static void change(MemorySegment segment, long guid, long before, long after, long[] change) {
        long difference = minus(reduced(after), reduced(before));
        change[0] = difference;
        change[1] = times(segment.get(PeerWire.LONG, guid) >>> Long.SIZE - LIMB_BITS, difference);
        change[2] = times(segment.get(PeerWire.LONG, guid + 7) >>> Long.SIZE - LIMB_BITS, difference);
        change[3] = times(segment.get(PeerWire.LONG, guid + 12) & (1L << LAST_LIMB_BITS) - 1, difference);
    }

    /** Adds a change to the sums of a group, which begin at an index. */
    static void add(long[] sums, int at, long[] change) {
        for (int i = 0; i < SUMS; i++) {
            sums[at + i] = plus(sums[at + i], change[i]);
        }
    }

    /** Returns whether two servers have the same sums of a group, as those have that hold the same records. */
    public static boolean agree(long[] ours, long[] theirs, int group) {
        for (int i = group * SUMS; i < (group + 1) * SUMS; i++) {
            if (ours[i] != theirs[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the key of the record that differs if it is the only one in its group. Otherwise practically always null, as the
     * quotients are no GUID, or a key of another range.
     *
     * @param ours the sums of all groups here
     * @param theirs those of the other server
     */
    public static byte @Nullable [] differing(long[] ours, long[] theirs, int group) {
        int at = group * SUMS;
        long difference = minus(theirs[at], ours[at]);
        if (difference == 0) {
            return null;
        }
        long inverse = inverse(difference);
        long high = times(minus(theirs[at + 1], ours[at + 1]), inverse);
        long middle = times(minus(theirs[at + 2], ours[at + 2]), inverse);
        long low = times(minus(theirs[at + 3], ours[at + 3]), inverse);
        if ((high | middle) >>> LIMB_BITS != 0 || low >>> LAST_LIMB_BITS != 0) {
            return null;
        }
        byte[] key = new byte[1 + Guid.BYTES];
        key[0] = Name.Namespace.GUID.code();
        MemorySegment to = MemorySegment.ofArray(key);
        to.set(PeerWire.LONG, 1, high << Long.SIZE - LIMB_BITS | middle >>> 2 * LIMB_BITS - Long.SIZE);
        to.set(PeerWire.LONG, 1 + 8, middle << 2 * (Long.SIZE - LIMB_BITS) | low >>> Integer.SIZE);
        to.set(PeerWire.INT, 1 + 16, (int) low);
        return key;
    }

    private static long plus(long a, long b) {
        long sum = a + b - PRIME;
        return sum + (sum >> 63 & PRIME);
    }

    private static long minus(long a, long b) {
        long difference = a - b;
        return difference + (difference >> 63 & PRIME);
    }

    static long times(long a, long b) {
        long low = a * b;
        return plus(low & PRIME, Math.multiplyHigh(a, b) << 3 | low >>> 61);
    }

    /** Returns 1 / a by Fermat's little theorem: a to the power of p - 2, whose bits are all set but one. */
    static long inverse(long a) {
        long power = 1;
        for (int bit = 60; bit >= 0; bit--) {
            power = times(power, power);
            if (bit != 1) {
                power = times(power, a);
            }
        }
        return power;
    }
}
