package io.guidepost.server.handle;

/** The bounds of the Handle door's connections that nobody need configure, each with its reason. */
final class Limits {
    /** Lines of the access log that wait for the disk: a burst of a tenth of a second at full speed. */
    static final int LOG_LINES_MAX = 16_384;

    private Limits() {}
}
