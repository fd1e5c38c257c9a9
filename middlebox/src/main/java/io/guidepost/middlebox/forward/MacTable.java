package io.guidepost.middlebox.forward;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The MAC table (FDB): the port where an Ethernet address was last seen, for each VLAN. All workers of a bridge share
 * it without a lock. A row is two longs that are written one after the other; a torn read sends one frame to another
 * address's port, which Ethernet permits a learning bridge.
 *
 * <p>An address may be in several rows from its hash on; the least recently seen one is replaced (LRU).
 */
final class MacTable {
    static final int UNKNOWN = -1;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int MASK = ForwardLimits.STATIONS - 1;

    private final long[] keys = new long[ForwardLimits.STATIONS];
    private final long[] places = new long[ForwardLimits.STATIONS];

    private static long key(int vlan, long mac) {
        return (long) (vlan + 1) << 48 | mac;
    }

    private static int row(long key) {
        return (int) (key * 0x9e37_79b9_7f4a_7c15L >>> 40) & MASK;
    }

    /** Returns the port, or {@link #UNKNOWN}. */
    int find(int vlan, long mac, long nowSeconds) {
        long key = key(vlan, mac);
        int at = row(key);
        for (int i = 0; i < ForwardLimits.STATION_PROBES; i++) {
            int row = at + i & MASK;
            if ((long) CELL.getOpaque(keys, row) == key) {
                long place = (long) CELL.getOpaque(places, row);
                return nowSeconds - (place >>> 8) <= ForwardLimits.STATION_SECONDS ? (int) place & 0xff : UNKNOWN;
            }
        }
        return UNKNOWN;
    }

    /** Learns the port of an address. */
    void learn(int vlan, long mac, int port, long nowSeconds) {
        long key = key(vlan, mac);
        long place = nowSeconds << 8 | port;
        int at = row(key);
        int oldest = at;
        long oldestSeen = Long.MAX_VALUE;
        for (int i = 0; i < ForwardLimits.STATION_PROBES; i++) {
            int row = at + i & MASK;
            long there = (long) CELL.getOpaque(keys, row);
            long seen = (long) CELL.getOpaque(places, row);
            if (there == key) {
                if (seen != place) {
                    CELL.setOpaque(places, row, place);
                }
                return;
            }
            if ((there == 0 ? -1 : seen) < oldestSeen) {
                oldestSeen = there == 0 ? -1 : seen;
                oldest = row;
            }
        }
        CELL.setOpaque(keys, oldest, key);
        CELL.setOpaque(places, oldest, place);
    }

    /** Returns the number of entries, aged ones included. */
    int count() {
        int count = 0;
        for (int i = 0; i < keys.length; i++) {
            count += (long) CELL.getOpaque(keys, i) == 0 ? 0 : 1;
        }
        return count;
    }
}
