package io.guidepost.gnrs.wire;

import org.jspecify.annotations.Nullable;

/**
 * The options of GNRS messages, one row each. The first three are V1.0; those from 0x60 on are Guidepost's own, and
 * receivers that do not know them skip them by their length.
 *
 * <p>A length counts the bytes of the value. Old Java receivers read it as a signed byte, so an answer attaches times to
 * 15 bindings at most.
 */
public enum GnrsOptionType {
    /** Requests: 16-bit flag, not 0 = the server may follow links and ask other servers. */
    RECURSION(0x00, 2, 2, false),
    /** INSERT, UPDATE, LOOKUP_RESPONSE: when each binding ends, 64-bit ms since 1970, in the order of the bindings. */
    EXPIRATION(0x01, GnrsOptionType.TIMES, GnrsOptionType.TIMES, false),
    /** INSERT, UPDATE, LOOKUP_RESPONSE: how long a cache may keep each binding, 64-bit ms, in their order. */
    TTL(0x02, GnrsOptionType.TIMES, GnrsOptionType.TIMES, false),
    /**
     * LOOKUP_RESPONSE: bindings or their times were left out, because they did not fit or are of a kind that the asker
     * does not know. 32-bit number of all bindings that the name has.
     */
    PARTIAL(0x60, 4, 4, false),
    /**
     * Requests: the asker reads the address types IPv6 and URL. If there is a value it is, in 16 bits, the longest
     * answer in bytes that the asker can take; old clients have room for 2048.
     */
    ACCEPT(0x61, 0, 2, false),
    /**
     * Requests: ignored. An answer to an unproven address is bounded by the length of the question, so whoever expects
     * a long answer asks a long question. May be repeated.
     */
    PADDING(0x62, 0, 255, true),
    /**
     * INSERT_RESPONSE and UPDATE_RESPONSE that say FAILED, to whoever sent ACCEPT: 16-bit number of servers that hold the
     * write, 16-bit number of those that were to hold it for SUCCESS.
     */
    COPIES(0x63, 4, 4, false);

    /** Stands for a length of eight bytes for each binding. */
    static final int TIMES = -1;

    private final int code;
    private final int bytesMin;
    private final int bytesMax;
    private final boolean repeatable;

    GnrsOptionType(int code, int bytesMin, int bytesMax, boolean repeatable) {
        this.code = code;
        this.bytesMin = bytesMin;
        this.bytesMax = bytesMax;
        this.repeatable = repeatable;
    }

    /** The number on the wire, without the bit that marks the last option. */
    public int code() {
        return code;
    }

    /** Whether a message may hold it more than once. */
    public boolean repeatable() {
        return repeatable;
    }

    /** Whether a value of so many bytes is one of this option in a message with so many bindings. */
    public boolean takes(int bytes, int bindings) {
        return bytesMin == TIMES
                ? bytes == 8L * bindings
                : bytes >= bytesMin && bytes <= bytesMax && (this != ACCEPT || bytes != 1);
    }

    /** The option of a number, or null if it is none that we know. */
    static @Nullable GnrsOptionType ofCode(int code) {
        return switch (code) {
            case 0x00 -> RECURSION;
            case 0x01 -> EXPIRATION;
            case 0x02 -> TTL;
            case 0x60 -> PARTIAL;
            case 0x61 -> ACCEPT;
            case 0x62 -> PADDING;
            case 0x63 -> COPIES;
            default -> null;
        };
    }
}
