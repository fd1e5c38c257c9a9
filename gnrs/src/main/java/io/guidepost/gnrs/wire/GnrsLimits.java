package io.guidepost.gnrs.wire;

import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.names.Locator;

/**
 * The bounds of the GNRS door, each with its reason. What an operator may change stands in {@link GnrsSettings}; the
 * bounds that hold in every room stand in {@link io.guidepost.base.CommonLimits}.
 */
public final class GnrsLimits {
    /** Messages in one datagram: old servers take any number; 16 answers are what a burst can absorb. */
    public static final int MESSAGES_PER_DATAGRAM_MAX = 16;

    /** Bytes of an answer to a client that announces no size: the buffers of the old clients. */
    public static final int ANSWER_BYTES_PLAIN = 2048;

    /** Bytes of an answer to a client that announces one: the longest UDP payload over IPv4. */
    public static final int ANSWER_BYTES_MAX = 65_507;

    /** Room in which every answer without bindings fits: header, longest origin, code, count, PARTIAL. */
    public static final int ANSWER_BYTES_MIN = 64;

    /** Bindings that can carry times in one message: the length of an option is one byte. */
    public static final int TIMED_BINDINGS_MAX = 255 / 8;

    /** Places of one answer that are put in order: four times the default bound of places of one name. */
    public static final int ORDERED_BINDINGS_MAX = 400;

    /** Look-ups that one request may cost in all when links are followed: bounds what a tree of links can do. */
    public static final int CHAIN_LOOKS_MAX = 64;

    /** Bytes of the requests that wait for other servers: 4096 of ordinary length, or a hundred of the longest. */
    public static final int RELAYED_BYTES_MAX = 1 << 23;

    /** Messages behind the first of their datagrams that wait for their turn within a burst: 64 datagrams of 16. */
    public static final int BACKLOG_MESSAGES_MAX = 1024;

    /** Bytes of those messages: a burst of ordinary concatenated questions, and four of the longest datagrams. */
    public static final int BACKLOG_BYTES_MAX = 1 << 18;

    /**
     * Writes refused for lack of room that a worker answers in a millisecond: 64,000 in a second are more than clients that wait for
     * their answers have use for, and as trains they take a fiftieth of a processor.
     */
    public static final int REFUSALS_PER_MILLI_MAX = 64;

    /** Such answers that wait for their millisecond, 32 ms at most; a power of two. */
    public static final int REFUSALS_WAITING_MAX = 2048;

    /**
     * Dynamic threshold for one source network: it may hold 3 times what is free, so alone three quarters of the table.
     */
    public static final int SOURCE_TIMES_FREE = 3;

    /** Dynamic threshold for one name: its writes are serialised anyway, so half of the table suffices. */
    public static final int NAME_TIMES_FREE = 1;

    static {
        assert ANSWER_BYTES_MIN
                >= GnrsWire.HEADER_BYTES
                        + Locator.bytesMax(0xF006)
                        + GnrsWire.CODE_BYTES
                        + 4
                        + GnrsWire.PARTIAL_BYTES;
        assert BACKLOG_BYTES_MAX >= ANSWER_BYTES_MAX;
    }

    private GnrsLimits() {}
}
