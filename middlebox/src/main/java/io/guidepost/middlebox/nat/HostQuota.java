package io.guidepost.middlebox.nat;

/**
 * How many mappings each inside host has, so that one cannot take all ports (RFC 6888 REQ-4). Open addressing in preallocated
 * arrays. Guarded by the lock of {@link NatTable}.
 */
final class HostQuota {
    private final int max;
    private final int[] hosts;

    /** 0: the row is free. */
    private final int[] counts;

    private final int mask;
    private final int shift;

    /**
     * Creates a quota without hosts.
     *
     * @param mappings number of all mappings, of which each may be of another host; half of the rows stay free then
     */
    HostQuota(int mappings, int max) {
        int rows = Integer.highestOneBit(2 * mappings - 1) << 1;
        this.max = max;
        this.hosts = new int[rows];
        this.counts = new int[rows];
        this.mask = rows - 1;
        this.shift = Integer.numberOfLeadingZeros(mask);
    }

    private int home(int host) {
        return host * 0x9e37_79b9 >>> shift;
    }

    private int row(int host) {
        int at = home(host);
        while (counts[at] != 0 && hosts[at] != host) {
            at = at + 1 & mask;
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
        for (int at = hole + 1 & mask; counts[at] != 0; at = at + 1 & mask) {
            // An entry moves back into the gap if that is between its home and its current row.
            if ((at - home(hosts[at]) & mask) >= (at - hole & mask)) {
                hosts[hole] = hosts[at];
                counts[hole] = counts[at];
                counts[at] = 0;
                hole = at;
            }
        }
    }
}
