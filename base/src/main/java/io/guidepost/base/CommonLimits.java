package io.guidepost.base;

/**
 * Bounds that hold in every room, each with its reason. A room's own bounds stand in its own {@code CommonLimits}; what an
 * operator may change is in the configuration, within these.
 */
public final class CommonLimits {
    /** Bytes of a name without its namespace: the longest handle that existing servers accept. */
    public static final int NAME_BYTES_MAX = 2048;

    /** Bytes of one locator's data: the 16-bit length of a GNRS address could say more, no known kind of place needs more. */
    public static final int LOCATOR_BYTES_MAX = 2048;

    /** Links followed from a name to a place: longer chains are mistakes or attacks, and each link costs a look-up. */
    public static final int CHAIN_DEPTH_MAX = 16;

    /** Places that one name may be bound to: larger sets do not fit one datagram of 64 KiB in the worst case. */
    public static final int LOCATORS_MAX = 1024;

    /** Bytes of one stored record: bounds what one write can cost in memory, log and index. */
    public static final int RECORD_BYTES_MAX = 1 << 20;

    /**
     * Bytes of the part of a record that other servers have copies of: with headers and seal it fits one UDP datagram of
     * 65,507 bytes.
     */
    public static final int SHARED_RECORD_BYTES_MAX = 60_000;

    /** Bytes of one line of a text file: the longest honest one, a trace line of many places, is far shorter. */
    public static final int LINE_BYTES_MAX = 1 << 16;

    /** Faults of a file that are told one by one: who must mend more than these has the wrong file. The rest is counted. */
    public static final int FILE_FAULTS_MAX = 20;

    private CommonLimits() {}
}
