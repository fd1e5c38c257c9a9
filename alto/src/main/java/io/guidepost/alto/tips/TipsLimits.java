package io.guidepost.alto.tips;

import java.time.Duration;

/** Bounds of TIPS views, each with its reason. */
final class TipsLimits {
    /** Open views: each is an entry of a table, and holds the versions of its resource if no other view does. */
    static final int VIEWS_MAX = 4_096;

    /** Open views of one client address: otherwise one client takes them all. */
    static final int VIEWS_PER_ADDRESS_MAX = 64;

    /** Requests that wait for the next version (long polling): each keeps a thread and a connection. */
    static final int WAITING_MAX = 1_024;

    /** Waiting requests of one client address. */
    static final int WAITING_PER_ADDRESS_MAX = 32;

    /** Time that a request waits for the next version: less than the time-out of proxies. */
    static final Duration WAIT_MAX = Duration.ofSeconds(50);

    /** Idle time after which a view is closed. */
    static final Duration IDLE_MAX = Duration.ofMinutes(10);

    /** Versions kept of one resource: a client that is further behind is better served by a snapshot. */
    static final int VERSIONS_MAX = 32;

    /** Bytes of all versions kept of one resource, without the newest. */
    static final long VERSION_BYTES_MAX = 64L << 20;

    private TipsLimits() {}
}
