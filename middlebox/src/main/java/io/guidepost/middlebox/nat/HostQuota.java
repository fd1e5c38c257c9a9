package io.guidepost.middlebox.nat;

/**
 * How many mappings each inside host has, so that one cannot take all ports (RFC 6888 REQ-4). Open addressing in preallocated
 * arrays. Guarded by the lock of {@link NatTable}.
 */
final class HostQuota {
    /** Twice as many as there can be hosts with a mapping. */
    private static final int ROWS = 1 << 19;

    private static final int MASK = ROWS - 1;

    private final int max;
    private final int[] hosts = new int[ROWS];

    /** 0: the row is free. */
    private final int[] counts = new int[ROWS];

    HostQuota(int max) {
        this.max = max;
    }

    private static int home(int host) {
        return host * 0x9e37_79b9 >>> 13;
    }

    private int row(int host) {
        int at = home(host);
        while (counts[at] != 0 && hosts[at] != host) {
            at = at + 1 & MASK;
        }
        return at;
    }

    boolean hasRoom(int host) {
        return counts[row(host)] < max;
    }

    void took(int host) {
        int at = row(host);
        hosts[at] = host;
        counts[at]++;
    }

    void freed(int host) {
        int hole = row(host);
        if (--counts[hole] > 0) {
            return;
        }
        for (int at = hole + 1 & MASK; counts[at] != 0; at = at + 1 & MASK) {
            // An entry moves back into the gap if that is between its home and its current row.
            if ((at - home(hosts[at]) & MASK) >= (at - hole & MASK)) {
                hosts[hole] = hosts[at];
                counts[hole] = counts[at];
                counts[at] = 0;
                hole = at;
            }
        }
    }
}
