package io.guidepost.middlebox.balance;

import java.util.Arrays;

/**
 * A table of hashes to back ends in which each has about as many places as any other, and of which few places change when
 * one comes or goes (Eisenbud and others, "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI 2016, section
 * 3.4): each back end has an order of all places of its own, and they take turns in claiming the next one that is free.
 * Immutable.
 */
final class Maglev {
    static final int NONE = -1;

    private final short[] places = new short[Limits.PLACES];

    /**
     * A table of some back ends.
     *
     * @param addresses of all
     * @param used which of them take part; none is allowed
     */
    Maglev(int[] addresses, boolean[] used) {
        Arrays.fill(places, (short) NONE);
        int number = 0;
        int[] members = new int[addresses.length];
        for (int i = 0; i < addresses.length; i++) {
            if (used[i]) {
                members[number++] = i;
            }
        }
        int[] next = new int[number];
        for (int filled = 0; filled < Limits.PLACES && number > 0; ) {
            for (int i = 0; i < number && filled < Limits.PLACES; i++, filled++) {
                claim(members[i], addresses[members[i]], next, i);
            }
        }
    }

    private void claim(int member, int address, int[] next, int at) {
        long mixed = mix(address);
        long offset = (mixed >>> 33) % Limits.PLACES;
        long skip = (mixed & 0x7fff_ffffL) % (Limits.PLACES - 1) + 1;
        int place;
        do {
            place = (int) ((offset + skip * next[at]++) % Limits.PLACES);
        } while (places[place] != NONE);
        places[place] = (short) member;
    }

    static long mix(long number) {
        long mixed = (number ^ number >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ mixed >>> 31;
    }

    /** The back end of a hash, or {@link #NONE} if there is none at all. */
    int find(long hash) {
        return places[(int) Long.remainderUnsigned(hash, Limits.PLACES)];
    }
}
