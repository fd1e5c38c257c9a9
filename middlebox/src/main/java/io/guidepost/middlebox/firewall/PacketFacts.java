package io.guidepost.middlebox.firewall;

/**
 * The fields of a packet besides its addresses that rules match, packed into one long with a guard bit above each. Two
 * subtractions compare all fields with their ranges: where the guard of a field survives both, the field is in its
 * range.
 *
 * <pre>
 *  bit  50 49 | 48 47 | 46 45 | 44 43 | 42 41..34 | 33 32........17 | 16 15.........0
 *        g v6 |  g    |  g    |  g    |  g  proto |  g  destination |  g  source
 *             |  later fragment       |           |     port        |     port
 *                     |  established  |
 *                             |  has ports
 * </pre>
 */
final class PacketFacts {
    static final int SOURCE_PORT = 0;
    static final int DESTINATION_PORT = 17;
    static final int PROTOCOL = 34;
    static final long HAS_PORTS = 1L << 43;
    static final long ESTABLISHED = 1L << 45;
    static final long LATER_FRAGMENT = 1L << 47;
    static final long IPV6 = 1L << 49;

    /** All guard bits. */
    static final long GUARDS = 1L << 16 | 1L << 33 | 1L << 42 | 1L << 44 | 1L << 46 | 1L << 48 | 1L << 50;

    /** Every field at its maximum. */
    static final long HIGHEST =
            0xffffL << SOURCE_PORT | 0xffffL << DESTINATION_PORT | 0xffL << PROTOCOL | HAS_PORTS | ESTABLISHED
                    | LATER_FRAGMENT | IPV6;

    private PacketFacts() {}

    /**
     * Returns the packed fields of a packet, guards set.
     *
     * @param ports source port in the upper half, as {@code HeaderParser.ports}
     */
    static long of(int protocol, int ports, long flags) {
        return GUARDS
                | (long) (ports >>> 16) << SOURCE_PORT
                | (long) (ports & 0xffff) << DESTINATION_PORT
                | (long) protocol << PROTOCOL
                | flags;
    }

    /**
     * Returns zero if a packet's fields are in the ranges.
     *
     * @param lowest without guards
     * @param highest with guards, and the guards added once more
     */
    static long miss(long facts, long lowest, long highest) {
        return ~((facts - lowest) & (highest - facts)) & GUARDS;
    }
}
