package io.guidepost.packet.ip;

import io.guidepost.base.ExpiringHashTable;

/**
 * Ethernet addresses of the neighbours on one link, by VLAN and address: the cache of ARP (RFC 826) and of neighbour
 * discovery (RFC 4861 section 5.1). All workers of the interface share it without a lock, as an answer comes to one of them
 * and is for all.
 *
 * <p>It learns only what it asked for. A message is taken in if a request for that address is open, or if the neighbour is
 * known already; so a stranger fills nothing by speaking. The cache is bounded; the entry that expires first makes room.
 */
final class NeighbourCache {
    /** Between two requests for one neighbour (RFC 1122 section 2.3.2.1). */
    static final long REQUEST_MILLIS = 1_000;

    /** How long a request is open, and a frame waits for its answer: three requests (RFC 4861 section 10). */
    static final long OPEN_MILLIS = 3 * REQUEST_MILLIS;

    /** Neighbours that are remembered, a power of two: several full /24 networks. */
    private static final int ROWS = 4096;

    /** How long a neighbour is used without a request, as Linux does. */
    private static final long FRESH_MILLIS = 30_000;

    /** How long it is used at all while it does not answer. */
    private static final long USED_MILLIS = 120_000;

    private final ExpiringHashTable known = new ExpiringHashTable(ROWS);
    private final ExpiringHashTable requested = new ExpiringHashTable(ROWS);

    /** Finds the Ethernet address of a neighbour that was heard of not long ago; 0 if it is to be asked again. */
    long fresh(long high, long low, int vlan, long nowMillis) {
        return find(high, low, vlan, nowMillis + USED_MILLIS - FRESH_MILLIS);
    }

    /** Finds the Ethernet address of a neighbour, 0 if that is not known, or not for sure any more. */
    long find(long high, long low, int vlan, long nowMillis) {
        return Math.max(0, known.find(high, low, vlan, nowMillis));
    }

    /** Returns true if it is time to ask for a neighbour, and notes that it is asked. */
    boolean mustAsk(long high, long low, int vlan, long nowMillis) {
        long lately = nowMillis + OPEN_MILLIS - REQUEST_MILLIS;
        if (requested.find(high, low, vlan, lately) != ExpiringHashTable.NONE) {
            return false;
        }
        requested.put(high, low, vlan, 0, nowMillis, OPEN_MILLIS);
        return true;
    }

    /** Takes in the Ethernet address that a neighbour tells, if it was asked for; returns true if so. */
    boolean learn(long high, long low, int vlan, long mac, long nowMillis) {
        if (requested.find(high, low, vlan, nowMillis) == ExpiringHashTable.NONE && find(high, low, vlan, nowMillis) == 0) {
            return false;
        }
        known.put(high, low, vlan, mac, nowMillis, USED_MILLIS);
        return true;
    }

    int count(long nowMillis) {
        return known.count(nowMillis);
    }

    long crowded() {
        return known.crowded();
    }
}
