package io.guidepost.middlebox.ipv4;

/**
 * Ethernet addresses of neighbours by their IPv4 addresses, in some rows of a table from where the hash points; the
 * oldest of those rows makes place. One thread's.
 */
final class Neighbours {
    private static final int MASK = Limits.NEIGHBOURS - 1;

    private final int[] address = new int[Limits.NEIGHBOURS];
    private final long[] mac = new long[Limits.NEIGHBOURS];
    private final long[] heardMillis = new long[Limits.NEIGHBOURS];
    private final long[] askedMillis = new long[Limits.NEIGHBOURS];

    /** Its Ethernet address, 0 if that is not known, or not for sure any more. */
    long find(int neighbour, long nowMillis) {
        int row = row(neighbour);
        return row >= 0 && nowMillis - heardMillis[row] < Limits.NEIGHBOUR_USED_MILLIS ? mac[row] : 0;
    }

    /** Whether it is time to ask for it; if so that is noted. */
    boolean mustAsk(int neighbour, long nowMillis) {
        int row = row(neighbour);
        if (row < 0) {
            row = place(neighbour, nowMillis);
            address[row] = neighbour;
            mac[row] = 0;
            heardMillis[row] = nowMillis;
            askedMillis[row] = nowMillis;
            return true;
        }
        boolean fresh = mac[row] != 0 && nowMillis - heardMillis[row] < Limits.NEIGHBOUR_FRESH_MILLIS;
        if (fresh || nowMillis - askedMillis[row] < Limits.ASK_MILLIS) {
            return false;
        }
        askedMillis[row] = nowMillis;
        return true;
    }

    /** Notes what a neighbour said of itself. */
    void learn(int neighbour, long its, long nowMillis) {
        int row = row(neighbour);
        if (row < 0) {
            row = place(neighbour, nowMillis);
            address[row] = neighbour;
            askedMillis[row] = 0;
        }
        mac[row] = its;
        heardMillis[row] = nowMillis;
    }

    private static int hash(int neighbour) {
        return neighbour * 0x9e37_79b9 >>> 20 & MASK;
    }

    private int row(int neighbour) {
        int at = hash(neighbour);
        for (int i = 0; i < Limits.NEIGHBOUR_PROBES; i++) {
            int row = at + i & MASK;
            if (address[row] == neighbour) {
                return row;
            }
        }
        return -1;
    }

    private int place(int neighbour, long nowMillis) {
        int at = hash(neighbour);
        int oldest = at;
        for (int i = 0; i < Limits.NEIGHBOUR_PROBES; i++) {
            int row = at + i & MASK;
            if (address[row] == 0) {
                return row;
            }
            if (nowMillis - heardMillis[row] > nowMillis - heardMillis[oldest]) {
                oldest = row;
            }
        }
        return oldest;
    }
}
