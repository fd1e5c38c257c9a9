package io.guidepost.server.http.epoll;

/** The bounds of connections in the kernel, each with its reason. */
final class EpollLimits {
    /** Bytes that one call receives or sends at most: several answers, four records of TLS; one piece of memory for each loop. */
    static final int ROOM_BYTES = 65_536;

    /** Calls to receive for one connection before others have their turn. */
    static final int READS_IN_TURN_MAX = 16;

    /** Calls to send for one connection before others have their turn. */
    static final int WRITES_IN_TURN_MAX = 16;

    /** Connections that a port accepts before those that there are have their turn. */
    static final int ACCEPTS_IN_TURN_MAX = 64;

    /** Bytes from which on it costs less to send them from where they are, by themselves, than to copy them to others. */
    static final int IN_PLACE_BYTES_MIN = 8192;

    /**
     * Bytes of the buffer that a channel of the JDK is read into first: most requests fit, and a client that sends half of one and waits
     * has that much of the server's memory. A client that sends more is soon read into larger ones.
     */
    static final int FIRST_READ_BYTES = 512;

    /** Bytes of the smallest such buffer, and of the largest. */
    static final int READ_BYTES_MIN = 64;

    static final int READ_BYTES_MAX = 65_536;

    static {
        assert IN_PLACE_BYTES_MIN <= ROOM_BYTES;
    }

    private EpollLimits() {}
}
