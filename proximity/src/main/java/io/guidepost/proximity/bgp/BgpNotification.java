package io.guidepost.proximity.bgp;

import java.util.Arrays;

/**
 * A NOTIFICATION message, which ends a session (RFC 4271 section 4.5).
 *
 * @param code of the error
 * @param subcode of the error
 * @param data for diagnosis; treated as immutable
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared; created once per session.
public record BgpNotification(int code, int subcode, byte[] data) {
    static final int HEADER = 1;
    static final int OPEN = 2;
    static final int UPDATE = 3;
    static final int HOLD_TIMER = 4;
    static final int STATE_MACHINE = 5;
    static final int CEASE = 6;

    static final int NOT_SYNCHRONIZED = 1;
    static final int BAD_LENGTH = 2;
    static final int BAD_TYPE = 3;

    static final int BAD_VERSION = 1;
    static final int BAD_PEER_AS = 2;
    static final int BAD_IDENTIFIER = 3;
    static final int BAD_PARAMETER = 4;
    static final int BAD_HOLD_TIME = 6;

    static final int MALFORMED_ATTRIBUTES = 1;
    static final int UNKNOWN_WELL_KNOWN = 2;
    static final int BAD_OPTIONAL_ATTRIBUTE = 9;
    static final int BAD_PREFIX = 10;

    /** Cease: the peer has announced more prefixes than it may (RFC 4486). */
    public static final int PREFIXES_MAX = 1;

    /** Cease: administrative shutdown (RFC 4486). */
    public static final int SHUTDOWN = 2;

    /** Cease: the peer is no longer configured. */
    public static final int DECONFIGURED = 3;

    private static final String[][] WORDS = {
        {},
        {"message header", "not synchronized", "bad length", "bad type"},
        {"OPEN", "version", "peer AS", "identifier", "optional parameter", "", "hold time", "capability"},
        {
            "UPDATE", "attribute list", "unknown well-known attribute", "missing attribute", "attribute flags",
            "attribute length", "ORIGIN", "", "NEXT_HOP", "optional attribute", "prefix", "AS_PATH"
        },
        {"hold timer expired"},
        {"state machine"},
        {
            "cease", "too many prefixes", "administrative shutdown", "peer deconfigured", "administrative reset",
            "connection rejected", "configuration change", "collision", "out of resources", "hard reset"
        }
    };

    static BgpNotification of(int code, int subcode) {
        return new BgpNotification(code, subcode, new byte[0]);
    }

    /** Creates a Cease notification. */
    public static BgpNotification cease(int subcode) {
        return of(CEASE, subcode);
    }

    /**
     * Returns whether the routes are not worth keeping for a reconnect, as the other side wants the session to end.
     */
    public boolean isFinal() {
        return code == CEASE && (subcode == SHUTDOWN || subcode == DECONFIGURED);
    }

    /** Formats the error as a text with its numbers. */
    @Override
    public String toString() {
        String[] words = code > 0 && code < WORDS.length ? WORDS[code] : new String[] {"unknown"};
        String detail = subcode > 0 && subcode < words.length ? ": " + words[subcode] : "";
        return words[0] + detail + " (" + code + "/" + subcode + ")";
    }

    /** Reads the body of a NOTIFICATION. */
    static BgpNotification read(byte[] bytes, int from, int to) {
        int code = to > from ? bytes[from] & 0xff : 0;
        int subcode = to > from + 1 ? bytes[from + 1] & 0xff : 0;
        return new BgpNotification(code, subcode, Arrays.copyOfRange(bytes, Math.min(from + 2, to), to));
    }
}
