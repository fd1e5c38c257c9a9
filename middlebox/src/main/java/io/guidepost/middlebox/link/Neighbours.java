package io.guidepost.middlebox.link;

import io.guidepost.middlebox.RecentTable;

/**
 * Ethernet addresses of the neighbours on one link, by VLAN and address. All workers of the link share it, as an answer
 * comes to one of them and is for all.
 */
final class Neighbours {
    private final RecentTable known = new RecentTable(Limits.NEIGHBOURS);

    /** Those that need no question now: they were just asked, or have said something not long ago. */
    private final RecentTable settled = new RecentTable(Limits.NEIGHBOURS);

    /** Its Ethernet address, 0 if that is not known, or not for sure any more. */
    long find(long high, long low, int vlan, long nowMillis) {
        return Math.max(0, known.find(high, low, vlan, nowMillis));
    }

    /** Whether it is time to ask for it; if so that is noted. */
    boolean mustAsk(long high, long low, int vlan, long nowMillis) {
        if (settled.find(high, low, vlan, nowMillis) != RecentTable.NONE) {
            return false;
        }
        settled.put(high, low, vlan, 0, nowMillis, Limits.ASK_MILLIS);
        return true;
    }

    /** Notes what a neighbour said of itself. */
    void learn(long high, long low, int vlan, long mac, long nowMillis) {
        known.put(high, low, vlan, mac, nowMillis, Limits.NEIGHBOUR_USED_MILLIS);
        settled.put(high, low, vlan, 0, nowMillis, Limits.NEIGHBOUR_FRESH_MILLIS);
    }

    int count(long nowMillis) {
        return known.count(nowMillis);
    }

    long crowded() {
        return known.crowded();
    }
}
