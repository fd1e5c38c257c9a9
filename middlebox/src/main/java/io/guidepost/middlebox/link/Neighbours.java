package io.guidepost.middlebox.link;

import io.guidepost.base.ExpiringHashTable;


/**
 * Ethernet addresses of the neighbours on one link, by VLAN and address. All workers of the link share it, as an answer
 * comes to one of them and is for all.
 */
final class Neighbours {
    private final ExpiringHashTable known = new ExpiringHashTable(Limits.NEIGHBOURS);

    /** Those that were just asked. */
    private final ExpiringHashTable asked = new ExpiringHashTable(Limits.NEIGHBOURS);

    /** Its Ethernet address if it was heard of not long ago, so that it need not be asked; else 0. */
    long fresh(long high, long low, int vlan, long nowMillis) {
        long stale = Limits.NEIGHBOUR_USED_MILLIS - Limits.NEIGHBOUR_FRESH_MILLIS;
        return Math.max(0, known.find(high, low, vlan, nowMillis + stale));
    }

    /** Its Ethernet address, 0 if that is not known, or not for sure any more. */
    long find(long high, long low, int vlan, long nowMillis) {
        return Math.max(0, known.find(high, low, vlan, nowMillis));
    }

    /** Whether it is time to ask for one that is not fresh; if so that is noted. */
    boolean mustAsk(long high, long low, int vlan, long nowMillis) {
        if (asked.find(high, low, vlan, nowMillis) != ExpiringHashTable.NONE) {
            return false;
        }
        asked.put(high, low, vlan, 0, nowMillis, Limits.ASK_MILLIS);
        return true;
    }

    /** Notes what a neighbour said of itself. */
    void learn(long high, long low, int vlan, long mac, long nowMillis) {
        known.put(high, low, vlan, mac, nowMillis, Limits.NEIGHBOUR_USED_MILLIS);
    }

    int count(long nowMillis) {
        return known.count(nowMillis);
    }

    long crowded() {
        return known.crowded();
    }
}
