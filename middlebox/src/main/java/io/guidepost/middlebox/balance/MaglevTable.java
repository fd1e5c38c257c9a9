package io.guidepost.middlebox.balance;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The Maglev consistent hash table from hashes to back ends: equal shares, and few changed slots when a back end comes
 * or goes (Eisenbud and others, "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI 2016, section 3.4).
 * Each back end has a permutation of all slots, and they take turns in claiming the next free one. Immutable.
 */
final class MaglevTable {
    static final int NONE = -1;

    private final short[] places = new short[BalancerLimits.PLACES];

    private MaglevTable() {
        Arrays.fill(places, (short) NONE);
    }

    /**
     * Builds a table.
     *
     * @param used which back ends take part; none is allowed
     */
    static MaglevTable of(List<LoadBalancer.BackEnd> all, boolean[] used) {
        MaglevTable table = new MaglevTable();
        int[] members = IntStream.range(0, all.size()).filter(i -> used[i]).toArray();
        int[] next = new int[members.length];
        for (int filled = 0; filled < BalancerLimits.PLACES && members.length > 0; ) {
            for (int i = 0; i < members.length && filled < BalancerLimits.PLACES; i++, filled++) {
                LoadBalancer.BackEnd each = all.get(members[i]);
                table.claim(members[i], hash(each.high(), each.low(), 0), next, i);
            }
        }
        return table;
    }

    /** Returns a hash of address and ports. */
    static long hash(long high, long low, int ports) {
        return mix(mix(high + ports) ^ low);
    }

    private void claim(int member, long mixed, int[] next, int at) {
        long offset = (mixed >>> 33) % BalancerLimits.PLACES;
        long skip = (mixed & 0x7fff_ffffL) % (BalancerLimits.PLACES - 1) + 1;
        int place;
        do {
            place = (int) ((offset + skip * next[at]++) % BalancerLimits.PLACES);
        } while (places[place] != NONE);
        places[place] = (short) member;
    }

    private static long mix(long number) {
        long mixed = (number ^ number >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ mixed >>> 31;
    }

    /** Returns the back end of a hash, or {@link #NONE} if the table is empty. */
    int find(long hash) {
        return places[(int) Long.remainderUnsigned(hash, BalancerLimits.PLACES)];
    }
}
