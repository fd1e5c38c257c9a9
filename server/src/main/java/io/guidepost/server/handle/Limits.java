package io.guidepost.server.handle;

/** The bounds of the Handle door's connections that nobody need configure, each with its reason. */
final class Limits {
    /** Bytes of all messages of a list that are held for one answer over HTTP, which must say its length first. */
    static final int HTTP_LIST_BYTES_MAX = 16 << 20;

    /** Lines of the access log that wait for the disk: a burst of a tenth of a second at full speed. */
    static final int LOG_LINES_MAX = 16_384;

    static {
        assert HTTP_LIST_BYTES_MAX >= io.guidepost.handle.Limits.MESSAGE_BYTES_MAX;
    }

    private Limits() {}
}
