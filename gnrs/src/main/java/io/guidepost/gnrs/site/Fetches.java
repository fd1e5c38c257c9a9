package io.guidepost.gnrs.site;

import io.guidepost.gnrs.Placer;
import io.guidepost.gnrs.Relays;
import io.guidepost.names.Counters;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Asks other servers for records, remembers what they say, and answers them when they ask. One worker's. */
final class Fetches {
    private final Counters<SiteCount> counts;

    Fetches(Deployment deployment, Placer placer, Questions questions, Counters<SiteCount> counts) {
        this.counts = counts;
    }

    void begin(long nowMillis) {}

    @Nullable MemorySegment remembered(MemorySegment segment, long guid) {
        return null;
    }

    long rememberedAgeMillis() {
        return 0;
    }

    boolean ownMayLag(MemorySegment segment, long guid) {
        return false;
    }

    boolean fetch(MemorySegment segment, long guid, Exchange asker, Relays.Fetched fetched) {
        return false;
    }

    /** FETCH of another server. */
    void take(Exchange exchange) {
        counts.count(SiteCount.DROPPED_MALFORMED_QUESTION);
    }

    /** FORGET of another server. */
    void forget(Exchange exchange) {}

    /** A FORGET for another server. */
    boolean next(Exchange exchange) {
        return false;
    }
}
