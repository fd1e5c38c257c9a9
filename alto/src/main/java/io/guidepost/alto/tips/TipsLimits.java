package io.guidepost.alto.tips;

import java.time.Duration;

/** Bounds of views, each with its reason. */
final class TipsLimits {
    /** Views at a time: each is an entry of a table, and holds the versions of its resource if no other does. */
    static final int VIEWS_MAX = 4_096;

    /** Views of one address at a time: else one client takes them all. */
    static final int VIEWS_PER_ADDRESS_MAX = 64;

    /** Requests at a time that wait for the next version: each keeps a thread and a connection. */
    static final int WAITING_MAX = 1_024;

    /** Requests of one address at a time that wait. */
    static final int WAITING_PER_ADDRESS_MAX = 32;

    /** A request waits so long for the next version: less than what proxies give an answer. */
    static final Duration WAIT_MAX = Duration.ofSeconds(50);

    /** A view that nobody has asked anything of for so long is closed. */
    static final Duration IDLE_MAX = Duration.ofMinutes(10);

    /** Versions kept of one resource: who is further behind is better served by a snapshot. */
    static final int VERSIONS_MAX = 32;

    /** Bytes of all versions kept of one resource, the newest apart. */
    static final long VERSION_BYTES_MAX = 64L << 20;

    private TipsLimits() {}
}
