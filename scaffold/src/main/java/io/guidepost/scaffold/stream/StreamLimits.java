package io.guidepost.scaffold.stream;

/** The bounds of streams, each with its reason. */
final class StreamLimits {
    /** Bytes that an end has sent and its peer's program has not taken, and, as many, that it keeps: 5 MB/s over 50 ms. */
    static final int WINDOW_BYTES = 256 << 10;

    /** Bytes that an end has room for at first; it doubles where more is needed. */
    static final int WINDOW_BYTES_LEAST = 8 << 10;

    /** Bytes of a program in one frame. */
    static final int DATA_BYTES_MAX = 16 << 10;

    /** Streams of a listener, and connections of a door: 256 MiB of windows at most. */
    static final int STREAMS_MAX = 512;

    /** Connections of a listener, and of a door, that have not said yet what they want. */
    static final int HALF_OPEN_MAX = 64;

    /** Connections that a client opens at a time: half of what the window against replay holds. */
    static final int DIALS_MAX = 32;

    /** Hosts with which something is agreed at a time. */
    static final int ASSOCIATIONS_MAX = 10_000;

    /** Hosts that are agreed with in a second: each costs half a millisecond. */
    static final int ASSOCIATIONS_PER_SECOND = 500;

    /** Instances that a stream asks for, one after the other, until it ends with an error. */
    static final int CHANGES_MAX = 8;

    /** For so long a place of a host is tried: two retransmissions of a SYN of TCP. */
    static final int CONNECT_MILLIS_MAX = 4_000;

    /** For so long a connection may take to say what it wants. */
    static final int HANDSHAKE_MILLIS_MAX = 10_000;

    /** An end that has nothing to say says so after this time: its TCP does not tell of a path that is gone. */
    static final int HEARTBEAT_MILLIS = 1_000;

    /** A connection on which nothing comes for so long is taken for broken: a wrong guess costs a handshake. */
    static final int SILENCE_MILLIS_MAX = 5_000;

    /** For so long an object router is asked for an instance. */
    static final int RESOLVE_MILLIS_MAX = 5_000;

    /** For so long a client tries to reach the instance that it had. */
    static final int RESUME_MILLIS_MAX = 30_000;

    /** For so long an instance keeps a stream whose connection is gone: the client has given up before. */
    static final int KEEP_MILLIS = 40_000;

    /** Streams that are remembered when they are over, as the last acknowledgment may be lost. */
    static final int FINISHED_MAX = 4_096;

    /** For so long a stream that was closed lingers when it comes no further. */
    static final int CLOSING_MILLIS = 10_000;

    /** Between two tries to reach an instance lies at first, and then twice as long each time, up to the second. */
    static final int RETRY_MILLIS_LEAST = 20;

    static final int RETRY_MILLIS_MAX = 1_000;

    private StreamLimits() {}
}
