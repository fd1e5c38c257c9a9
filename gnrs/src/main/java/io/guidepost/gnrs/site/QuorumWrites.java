package io.guidepost.gnrs.site;

import io.guidepost.gnrs.Placer;
import io.guidepost.gnrs.Relays;
import io.guidepost.names.Counters;
import io.guidepost.names.Exchange;

/** Writes of clients, at all servers that keep the record. One worker's. */
final class QuorumWrites {
    QuorumWrites(
            Deployment deployment,
            Placer placer,
            Questions questions,
            Counters<SiteCount> counts,
            Runnable wake) {}

    void begin(long nowMillis) {}

    boolean write(byte[] image, boolean append, boolean recursive, Exchange asker, Relays.Written written) {
        return false;
    }
}
