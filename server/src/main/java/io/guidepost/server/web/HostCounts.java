package io.guidepost.server.web;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What was counted at the connections. Thread-safe. */
public final class HostCounts {
    private final Map<HostCount, LongAdder> counts = new EnumMap<>(HostCount.class);

    /** All at zero. */
    public HostCounts() {
        for (HostCount each : HostCount.values()) {
            counts.put(each, new LongAdder());
        }
    }

    /** One more. */
    public void add(HostCount count) {
        adder(count).increment();
    }

    /** So many so far. */
    public long get(HostCount count) {
        return adder(count).sum();
    }

    private LongAdder adder(HostCount count) {
        LongAdder adder = counts.get(count);
        if (adder == null) {
            throw new AssertionError("every count has a place");
        }
        return adder;
    }

    /** Connections that are there. */
    public long connections() {
        // What ended is read first, so that the difference is never below zero.
        long ended = get(HostCount.ENDED);
        return get(HostCount.ACCEPTED) - ended;
    }
}
