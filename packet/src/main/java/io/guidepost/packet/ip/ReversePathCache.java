package io.guidepost.packet.ip;

/**
 * The ways that requests came, so that responses go back there: from an address to the station that brought it, a neighbour
 * or a router. One thread's.
 *
 * <p>A table of pairs of places, each 32 bytes: high and low half of the address, {@link LinkPath}, when. A new address
 * takes the older place of its pair, so that a flood of forged senders can push out others but never make it grow; an address
 * that was pushed out is asked for by ARP or neighbour discovery like any other. What was heard longer ago than 10 s does not
 * count: the station may have gone, and only responses are meant to go this way.
 */
final class ReversePathCache {
    private static final long AGE_MILLIS_MAX = 10_000;

    /** Pairs of places: 8,192 senders in 256 KiB, some more than a worker answers within two bursts of every size. */
    private static final int PAIRS = 4096;

    private static final int PLACE_SHIFT = 2;

    private final long[] table = new long[PAIRS << PLACE_SHIFT + 1];

    private static int pair(long high, long low) {
        long mixed = (high * 0x9e37_79b9_7f4a_7c15L ^ low) * 0xc2b2_ae3d_27d4_eb4fL;
        return (int) (mixed >>> 52) << PLACE_SHIFT + 1;
    }

    private boolean is(int place, long high, long low) {
        return table[place + 1] == low && table[place] == high;
    }

    /** Notes which way an address came. */
    void put(long high, long low, long path, long nowMillis) {
        int place = pair(high, low);
        int other = place + (1 << PLACE_SHIFT);
        if (!is(place, high, low)) {
            // Zeros are no address, and their time is older than all.
            place = is(other, high, low) || table[other + 3] - table[place + 3] < 0 ? other : place;
            table[place] = high;
            table[place + 1] = low;
        }
        table[place + 2] = path;
        table[place + 3] = nowMillis;
    }

    /** Finds the way that an address came, {@link LinkPath#NONE} if it did not lately. */
    long find(long high, long low, long nowMillis) {
        int place = pair(high, low);
        if (!is(place, high, low)) {
            place += 1 << PLACE_SHIFT;
            if (!is(place, high, low)) {
                return LinkPath.NONE;
            }
        }
        return nowMillis - table[place + 3] <= AGE_MILLIS_MAX ? table[place + 2] : LinkPath.NONE;
    }
}
