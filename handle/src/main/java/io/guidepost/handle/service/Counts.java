package io.guidepost.handle.service;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The counters of {@link ServiceCount}. Thread-safe. */
final class Counts {
    private final Map<ServiceCount, LongAdder> counters = new EnumMap<>(ServiceCount.class);

    Counts() {
        for (ServiceCount each : ServiceCount.values()) {
            counters.put(each, new LongAdder());
        }
    }

    void add(ServiceCount count) {
        adder(count).increment();
    }

    long get(ServiceCount count) {
        return adder(count).sum();
    }

    private LongAdder adder(ServiceCount count) {
        LongAdder adder = counters.get(count);
        if (adder == null) {
            throw new AssertionError(count);
        }
        return adder;
    }
}
