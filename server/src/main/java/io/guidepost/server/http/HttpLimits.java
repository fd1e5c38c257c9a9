package io.guidepost.server.http;

/** The bounds of connections over HTTP that no operator needs to configure, each with its reason. */
final class HttpLimits {
    /** Bytes of a request line: a handle of 2,048 bytes, each percent-encoded, and as much again for the query. */
    static final int REQUEST_LINE_BYTES_MAX = 16_384;

    /** Bytes of a request's headers: signatures and certificates fit, and a connection that sends more is no client. */
    static final int HEADER_BYTES_MAX = 16_384;

    /** Requests of one HTTP/2 connection at a time: what browsers are given by others. */
    static final int STREAMS_MAX = 100;

    /** Milliseconds of a message under pressure: some round trips over any distance, and no connection is held for long. */
    static final long PRESSED_MILLIS = 500;

    /** Milliseconds in which a sender may use up the time that it has earned: what it has sent waits in memory. */
    static final long SILENT_MILLIS_MAX = 10_000;

    /** Times that pressure is looked at while a message may be out, at least; not less than 500 ms apart. */
    static final int PRESSURE_LOOKS = 8;

    /** Bytes of a message that must come in a millisecond under pressure, on average: a slower client holds on to memory. */
    static final int SLOWEST_BYTES_PER_MILLI = 16;

    /** Bytes that wait for a slow receiver before the writer waits too (backpressure). */
    static final int UNSENT_BYTES_MAX = 128 << 10;

    /** Bytes that a stream gathers before it sends them: below the record size of TLS. */
    static final int PIECE_BYTES = 16_000;

    /** Bytes below which compression costs more than it saves: about one packet. */
    static final int COMPRESSED_BYTES_MIN = 1400;

    /** The same for answers to a POST; there are clients that take a compressed one for none, as it has no length for them. */
    static final int COMPRESSED_ANSWER_BYTES_MIN = 16_384;

    /** Connections that the kernel keeps until they are accepted. */
    static final int BACKLOG = 1024;

    /** Milliseconds until a port tries again to let somebody in, if there was no file number: soon, but not in vain all the time. */
    static final int ACCEPT_AGAIN_MILLIS = 100;

    /** Bytes of a plain request up to its body: several times what clients send; longer ones are for the full codec. */
    static final int PLAIN_HEAD_BYTES_MAX = 4096;

    /** Bytes of a plain request's body: any question about handles fits. */
    static final int PLAIN_BODY_BYTES_MAX = 16_384;

    /** Headers of plain requests that an event loop knows again, a power of two: with those they are half a MiB at most. */
    static final int PLAIN_HEADERS_KNOWN = 64;

    static {
        assert PLAIN_HEAD_BYTES_MAX <= REQUEST_LINE_BYTES_MAX && PLAIN_HEAD_BYTES_MAX <= HEADER_BYTES_MAX;
        assert Integer.bitCount(PLAIN_HEADERS_KNOWN) == 1;
    }

    /** Bytes that go to another process with a connection: fewer than a message between both takes; a longer request is finished here. */
    static final int PARKED_BYTES_MAX = 65_536;

    /** Milliseconds that clients of connections which are to end have to hear so: a busy one asks again, and an idle one loses nothing. */
    static final int DRAIN_MILLIS = 1000;

    private HttpLimits() {}
}
