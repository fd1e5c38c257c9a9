package io.guidepost.middlebox.forward;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * At which port an Ethernet address was seen last, for each VLAN. All workers of a bridge share it without a lock: a row
 * is two longs that are written one after the other, and who reads between them takes a frame for the port of another
 * address once, which Ethernet allows a bridge that learns.
 *
 * <p>An address may be in some rows from where its hash points; the one that was not seen for longest makes place.
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

    /** Notes that an address was seen at a port. */
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

    /** Returns the addresses that are remembered, those included that are too old. */
    int count() {
        int count = 0;
        for (int i = 0; i < keys.length; i++) {
            count += (long) CELL.getOpaque(keys, i) == 0 ? 0 : 1;
        }
        return count;
    }
}
