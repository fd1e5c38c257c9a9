package io.guidepost.server.web;

import io.guidepost.names.SharedCounters;

/** What was counted at the connections. Thread-safe. */
public final class HostCounts {
    private final SharedCounters<HostCount> counts = new SharedCounters<>(HostCount.class);

    /** One more. */
    public void add(HostCount count) {
        counts.add(count);
    }

    /** So many so far. */
    public long get(HostCount count) {
        return counts.get(count);
    }

    /** Connections that are there. */
    public long connections() {
        // What ended is read first, so that the difference is never below zero.
        long ended = get(HostCount.ENDED);
        return get(HostCount.ACCEPTED) - ended;
    }
}
