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
    RECURSION(0x00, 2, 2),
    /** INSERT, UPDATE, LOOKUP_RESPONSE: when each binding ends, 64-bit ms since 1970, in the order of the bindings. */
    EXPIRATION(0x01, GnrsOptionType.TIMES, GnrsOptionType.TIMES),
    /** INSERT, UPDATE, LOOKUP_RESPONSE: how long a cache may keep each binding, 64-bit ms, in their order. */
    TTL(0x02, GnrsOptionType.TIMES, GnrsOptionType.TIMES),
    /**
     * LOOKUP_RESPONSE: bindings or their times were omitted, because they did not fit or are of a kind that the client
     * does not know. 32-bit number of all bindings of the name.
     */
    PARTIAL(0x60, 4, 4),
    /**
     * Requests: the client reads the address types IPv6 and URL. The optional value is, in 16 bits, the longest answer
     * in bytes that the client can take; old clients have room for 2048.
     */
    ACCEPT(0x61, 0, 2),
    /**
     * Requests: ignored. The amplification bound limits an answer to an unproven address by the length of the request,
     * so a client that expects a long answer pads its request. May be repeated.
     */
    PADDING(0x62, 0, 255),
    /**
     * INSERT_RESPONSE and UPDATE_RESPONSE with FAILED, to a client that sent ACCEPT: 16-bit number of servers that hold
     * the write, 16-bit number of servers that the quorum requires.
     */
    COPIES(0x63, 4, 4),
    /**
     * INSERT_RESPONSE and UPDATE_RESPONSE with FAILED, to a client that sent ACCEPT: 8-bit number of the reason, see
     * {@link RefusalReason}.
     */
    REASON(0x64, 1, 1);

    /** Stands for a length of eight bytes for each binding. */
    static final int TIMES = -1;

    private final int code;
    private final int bytesMin;
    private final int bytesMax;

    GnrsOptionType(int code, int bytesMin, int bytesMax) {
        this.code = code;
        this.bytesMin = bytesMin;
        this.bytesMax = bytesMax;
    }

    /** Returns the number on the wire, without the bit that marks the last option. */
    public int code() {
        return code;
    }

    /** Returns whether a value of {@code bytes} is valid for this option in a message with {@code bindings}. */
    public boolean takes(int bytes, int bindings) {
        return bytesMin == TIMES
                ? bytes == 8L * bindings
                : bytes >= bytesMin && bytes <= bytesMax && (this != ACCEPT || bytes != 1);
    }

    static @Nullable GnrsOptionType ofCode(int code) {
        return switch (code) {
            case 0x00 -> RECURSION;
            case 0x01 -> EXPIRATION;
            case 0x02 -> TTL;
            case 0x60 -> PARTIAL;
            case 0x61 -> ACCEPT;
            case 0x62 -> PADDING;
            case 0x63 -> COPIES;
            case 0x64 -> REASON;
            default -> null;
        };
    }
}
