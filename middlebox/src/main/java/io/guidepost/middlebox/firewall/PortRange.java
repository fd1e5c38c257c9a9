package io.guidepost.middlebox.firewall;

/**
 * A range of UDP or TCP ports.
 *
 * @param first 0 to 65,535
 * @param last the first or higher, to 65,535
 */
record PortRange(int first, int last) {
    /** Highest port number. */
    static final int MAX = 0xffff;

    /** Checks the bounds. */
    public PortRange {
        if (first < 0 || last > MAX || first > last) {
            throw new IllegalArgumentException(first + "-" + last + " is no range of ports from 0 to 65535");
        }
    }

    @Override
    public String toString() {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }
}
