package io.guidepost.base;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters that any thread adds to, one for each constant of an enum, for code that does not run on a worker; a
 * worker's own {@link Counters} are cheaper. Thread-safe.
 *
 * @param <E> names the counts
 */
public final class SharedCounters<E extends Enum<E>> {
    private final Map<E, LongAdder> counts;

    /** Creates counters at zero. */
    public SharedCounters(Class<E> names) {
        counts = new EnumMap<>(names);
        for (E each : names.getEnumConstants()) {
            counts.put(each, new LongAdder());
        }
    }

    /** Adds one. */
    public void add(E name) {
        adder(name).increment();
    }

    /** Returns the current count. */
    public long get(E name) {
        return adder(name).sum();
    }

    private LongAdder adder(E name) {
        LongAdder adder = counts.get(name);
        if (adder == null) {
            throw new AssertionError("every count has a place");
        }
        return adder;
    }
}
