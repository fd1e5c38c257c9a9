package io.guidepost.gnrs.site;

import io.guidepost.names.Counters;
import io.guidepost.names.Exchange;

/** MERGE of other servers: what they say is merged into the store and confirmed when it is durable. One worker's. */
final class Merges {
    private final Counters<SiteCount> counts;

    Merges(Deployment deployment, Counters<SiteCount> counts, Runnable wake) {
        this.counts = counts;
    }

    void take(Exchange exchange) {
        counts.count(SiteCount.DROPPED_MALFORMED_QUESTION);
    }

    boolean next(Exchange exchange) {
        return false;
    }
}
