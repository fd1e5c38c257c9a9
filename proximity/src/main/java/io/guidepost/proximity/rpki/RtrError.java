package io.guidepost.proximity.rpki;

import java.util.List;

/** The codes of Error Reports (RFC 8210 section 12). */
final class RtrError {
    static final int CORRUPT_DATA = 0;
    static final int INTERNAL_ERROR = 1;

    /** The only one that does not end the connection: the cache has nothing yet. */
    static final int NO_DATA_AVAILABLE = 2;

    static final int INVALID_REQUEST = 3;
    static final int UNSUPPORTED_VERSION = 4;
    static final int UNSUPPORTED_TYPE = 5;
    static final int WITHDRAWAL_OF_UNKNOWN_RECORD = 6;
    static final int DUPLICATE_ANNOUNCEMENT = 7;
    static final int UNEXPECTED_VERSION = 8;

    private static final List<String> WORDS = List.of(
            "corrupt data", "internal error", "no data available", "invalid request", "unsupported version", "unsupported type",
            "withdrawal of unknown record", "duplicate announcement", "unexpected version");

    private RtrError() {}

    /** Returns the words of a code. */
    static String words(int code) {
        return (code < WORDS.size() ? WORDS.get(code) : "error") + " (" + code + ")";
    }
}
