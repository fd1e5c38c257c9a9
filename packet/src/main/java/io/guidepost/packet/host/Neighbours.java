package io.guidepost.packet.host;

/**
 * Ethernet addresses of those neighbours that were asked for, as RFC 826 and RFC 4861 have them. For any thread: answers
 * come in on whichever queue. Only what is sent without a question before it looks here.
 *
 * <p>Nobody gets in by speaking: an address has a row only after it was {@linkplain #mustAsk asked} for, and its own
 * messages then keep the row fresh. The rows are bounded; the one heard of longest ago makes room.
 */
final class Neighbours {
    /** Neighbours that this side may have asked for: the servers of a site, and routers. */
    private static final int ROWS = 256;

    /** After this it is asked again, while it is still used. */
    private static final long FRESH_NANOS = 30_000_000_000L;

    /** After this it is not used any more. */
    private static final long USABLE_NANOS = 120_000_000_000L;

    /** Between two questions for one address. */
    static final long ASK_NANOS = 1_000_000_000L;

    private final long[] high = new long[ROWS];
    private final long[] low = new long[ROWS];
    private final long[] path = new long[ROWS];
    private final long[] heardNanos = new long[ROWS];
    private final long[] askedNanos = new long[ROWS];
    private int used;

    /** The way to a neighbour, {@link LinkPath#NONE} if it is not known. */
    synchronized long find(long addressHigh, long addressLow, long nowNanos) {
        int row = row(addressHigh, addressLow);
        return row >= 0 && path[row] != LinkPath.NONE && nowNanos - heardNanos[row] < USABLE_NANOS ? path[row] : LinkPath.NONE;
    }

    /** Whether the caller shall ask for it now; if so, it counts as asked. */
    synchronized boolean mustAsk(long addressHigh, long addressLow, long nowNanos) {
        int row = row(addressHigh, addressLow);
        if (row < 0) {
            row = place();
            high[row] = addressHigh;
            low[row] = addressLow;
            path[row] = LinkPath.NONE;
            heardNanos[row] = nowNanos;
        } else if (nowNanos - askedNanos[row] < ASK_NANOS
                || path[row] != LinkPath.NONE && nowNanos - heardNanos[row] < FRESH_NANOS) {
            return false;
        }
        askedNanos[row] = nowNanos;
        return true;
    }

    /** Takes in what a neighbour says of itself, if it was asked for. */
    synchronized void learn(long addressHigh, long addressLow, long its, long nowNanos) {
        int row = row(addressHigh, addressLow);
        if (row >= 0) {
            path[row] = its;
            heardNanos[row] = nowNanos;
        }
    }

    private int place() {
        if (used < ROWS) {
            return used++;
        }
        int oldest = 0;
        for (int i = 1; i < ROWS; i++) {
            oldest = heardNanos[i] - heardNanos[oldest] < 0 ? i : oldest;
        }
        return oldest;
    }

    private int row(long addressHigh, long addressLow) {
        for (int i = 0; i < used; i++) {
            if (low[i] == addressLow && high[i] == addressHigh) {
                return i;
            }
        }
        return -1;
    }
}
