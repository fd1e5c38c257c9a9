package io.guidepost.handle.http;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The counters of {@link RestCount}. Thread-safe. */
final class RestCounts {
    private final Map<RestCount, LongAdder> counters = new EnumMap<>(RestCount.class);

    RestCounts() {
        for (RestCount each : RestCount.values()) {
            counters.put(each, new LongAdder());
        }
    }

    void add(RestCount count) {
        adder(count).increment();
    }

    long get(RestCount count) {
        return adder(count).sum();
    }

    private LongAdder adder(RestCount count) {
        LongAdder adder = counters.get(count);
        if (adder == null) {
            throw new AssertionError(count);
        }
        return adder;
    }
}
