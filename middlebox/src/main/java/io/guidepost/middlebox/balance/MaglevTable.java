package io.guidepost.middlebox.balance;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table of hashes to back ends in which each has about as many places as any other, and of which few places change when
 * one comes or goes (Eisenbud and others, "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI 2016, section
 * 3.4): each back end has an order of all places of its own, and they take turns in claiming the next one that is free.
 * Immutable.
 */
final class MaglevTable {
    static final int NONE = -1;

    private final short[] places = new short[BalancerLimits.PLACES];

    private MaglevTable() {
        Arrays.fill(places, (short) NONE);
    }

    /**
     * Returns a table of some back ends.
     *
     * @param used which of them take part; none is allowed
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

    /** Returns a hash of an address and of ports. */
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

    /** Returns the back end of a hash, or {@link #NONE} if there is none at all. */
    int find(long hash) {
        return places[(int) Long.remainderUnsigned(hash, BalancerLimits.PLACES)];
    }
}
