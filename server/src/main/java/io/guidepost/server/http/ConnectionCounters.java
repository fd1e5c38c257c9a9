package io.guidepost.server.http;

import io.guidepost.base.SharedCounters;

/** What was counted at the connections. Thread-safe. */
public final class ConnectionCounters {
    private final SharedCounters<ConnectionCounter> counts = new SharedCounters<>(ConnectionCounter.class);

    /** One more. */
    public void add(ConnectionCounter count) {
        counts.add(count);
    }

    /** Returns the count so far. */
    public long get(ConnectionCounter count) {
        return counts.get(count);
    }

    /** Connections that are there. */
    public long connections() {
        // What ended is read first, so that the difference is never below zero.
        long ended = get(ConnectionCounter.ENDED);
        return get(ConnectionCounter.ACCEPTED) - ended;
    }
}
