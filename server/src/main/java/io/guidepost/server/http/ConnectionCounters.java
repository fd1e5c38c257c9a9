package io.guidepost.server.http;

import io.guidepost.base.SharedCounters;
import io.guidepost.server.metrics.CounterFamilies;
import io.guidepost.server.metrics.Exposition;

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

    /**
     * Writes the counts as metrics.
     *
     * @param prefix names the door, with an underscore at its end
     */
    void write(Exposition out, String prefix) {
        new CounterFamilies<>(ConnectionCounter.class, prefix)
                .family("connections_accepted", "Connections that were accepted.")
                .family("connections_ended", "Connections that ended, for any reason.")
                .family("connections_aborted", "Connections that ended otherwise than agreed, by reason.", "reason")
                .family("failed_accepts", "Times that no connection could be accepted, for want of file numbers or memory.")
                .family("requests_refused", "Messages and requests over connections that were refused, by reason.", "reason")
                .family("requests_at_once", "Requests over connections that were answered without waiting for anything.")
                .family("aborted_streams", "Answers that were ended because the client had gone.")
                .family("connection_faults", "Internal errors of the server while it answered.")
                .write(out, this::get);
    }

    /** Connections that are there. */
    public long connections() {
        // What ended is read first, so that the difference is never below zero.
        long ended = get(ConnectionCounter.CONNECTIONS_ENDED);
        return get(ConnectionCounter.CONNECTIONS_ACCEPTED) - ended;
    }
}
