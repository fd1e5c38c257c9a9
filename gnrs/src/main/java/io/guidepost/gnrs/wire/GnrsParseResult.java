package io.guidepost.gnrs.wire;

/** The result of parsing: the first fault, reading from the front. Each is counted. */
public enum GnrsParseResult {
    /** No fault. */
    OK("nothing is wrong"),
    /** Fewer bytes than a header. */
    HEADER_CUT("a message has at least the 16 bytes of its header"),
    /** A version that is not 0. */
    VERSION("the version is not 0"),
    /** A type that is none of the six. */
    TYPE("the type is none of INSERT (0), LOOKUP (1), UPDATE (2) and their responses (0x80, 0x81, 0x82)"),
    /** The length field is smaller than a header. */
    LENGTH_SHORT("the length field says less than the 16 bytes of a header"),
    /** The length field exceeds the bytes that are there. */
    LENGTH_BEYOND("the length field says more bytes than there are"),
    /** A datagram whose messages do not end where it ends. */
    LENGTH_TRAILING("bytes follow the message that are no message themselves"),
    /** More messages in one datagram than the bound. */
    MESSAGES_MANY("one datagram carries at most 16 messages"),
    /** An origin of an unknown address type. */
    ORIGIN_TYPE("the type of the origin address is unknown"),
    /** An origin longer than its type allows, or than the message. */
    ORIGIN_LENGTH("the origin address is longer than its type or the message allows"),
    /** A payload that does not begin behind the origin. */
    PAYLOAD_OFFSET("the payload offset is neither 0 nor the end of the origin address"),
    /** A payload shorter than its fixed part. */
    PAYLOAD_CUT("the message ends before its payload does"),
    /** More bindings than the bytes left could hold. */
    BINDING_COUNT("there are more bindings than the bytes left could hold"),
    /** A binding of an unknown address type. */
    ADDRESS_TYPE("the type of a bound address is unknown"),
    /** A binding whose length is invalid for its type. */
    ADDRESS_LENGTH("a bound address has a length that its type does not have"),
    /** A binding longer than the bytes left. */
    ADDRESS_CUT("the message ends before a bound address does"),
    /** Options that do not begin behind the payload. */
    OPTIONS_OFFSET("the options offset is neither 0 nor the end of the payload"),
    /** Bytes behind a payload without options. */
    PAYLOAD_TRAILING("bytes follow the payload, and the options offset says that there are no options"),
    /** An option longer than the bytes left. */
    OPTION_CUT("the message ends before an option does"),
    /** An option whose length is invalid for its type. */
    OPTION_LENGTH("an option has a length that its type does not have"),
    /** An option that is repeated. */
    OPTION_REPEATED("an option is repeated"),
    /** Bytes behind the option that is marked as the last. */
    OPTIONS_TRAILING("bytes follow the option that says it is the last");

    private final String text;

    GnrsParseResult(String text) {
        this.text = text;
    }

    /** Returns the fault, as a sentence without a full stop. */
    public String text() {
        return text;
    }
}
