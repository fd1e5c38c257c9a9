package io.guidepost.base;

/**
 * Bounds that hold in every module, each with its reason. A module's own bounds stand in its own class; what an
 * operator may change is in the configuration, within these.
 */
public final class CommonLimits {
    /** Bytes of a name without its namespace: the longest handle that existing servers accept. */
    public static final int NAME_BYTES_MAX = 2048;

    /** Bytes of one locator's data: the 16-bit length of a GNRS address allows more, no known locator type needs more. */
    public static final int LOCATOR_BYTES_MAX = 2048;

    /** Aliases followed from a name to a locator: longer chains are mistakes or attacks, and each alias costs a lookup. */
    public static final int CHAIN_DEPTH_MAX = 16;

    /** Locators of one name: larger sets may not fit one datagram of 64 KiB. */
    public static final int LOCATORS_MAX = 1024;

    /** Bytes of one stored record: bounds what one write can cost in memory, log and index. */
    public static final int RECORD_BYTES_MAX = 1 << 20;

    /** Bytes of the replicated part of a record: with headers and seal it fits one UDP datagram of 65,507 bytes. */
    public static final int SHARED_RECORD_BYTES_MAX = 60_000;

    /** Bytes of one line of a text file: the longest honest one, a trace line with many locators, is far shorter. */
    public static final int LINE_BYTES_MAX = 1 << 16;

    /** Faults of a file that are listed; the rest is counted. A file with more than these is probably the wrong file. */
    public static final int FILE_FAULTS_MAX = 20;

    private CommonLimits() {}
}
