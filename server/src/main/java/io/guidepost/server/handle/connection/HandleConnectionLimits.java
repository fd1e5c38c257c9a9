package io.guidepost.server.handle.connection;

/** The bounds of the Handle door's connections that no operator needs to configure, each with its reason. */
public final class HandleConnectionLimits {
    /** Lines of the access log that wait for the disk: a burst of a tenth of a second at full speed. */
    public static final int LOG_LINES_MAX = 16_384;

    private HandleConnectionLimits() {}
}
