package io.guidepost.lab.soak;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The promises that a server broke: how often each, and the first cases of it. Thread-safe. */
final class BrokenPromises {
    /** Cases told of one promise: more would be more of the same. */
    private static final int CASES_MAX = 5;

    private final long beganNanos = System.nanoTime();
    private final Map<String, Broken> byPromise = new LinkedHashMap<>();
    private final List<String> untold = new ArrayList<>();

    /**
     * A promise that was broken.
     *
     * @param count how often
     * @param cases the first of them, each with the second in which it was seen
     */
    record Broken(long count, List<String> cases) {}

    synchronized void add(String promise, String what) {
        Broken before = byPromise.getOrDefault(promise, new Broken(0, List.of()));
        List<String> cases = new ArrayList<>(before.cases);
        if (cases.size() < CASES_MAX) {
            cases.add((System.nanoTime() - beganNanos) / 1_000_000_000 + " s: " + what);
            untold.add("broken: " + promise + ": " + cases.getLast());
        }
        byPromise.put(promise, new Broken(before.count + 1, List.copyOf(cases)));
    }

    /** Returns the cases that have come since the last call, a line each. */
    synchronized List<String> takeUntold() {
        List<String> taken = List.copyOf(untold);
        untold.clear();
        return taken;
    }

    synchronized Map<String, Broken> all() {
        return new LinkedHashMap<>(byPromise);
    }

    synchronized long count() {
        return byPromise.values().stream().mapToLong(Broken::count).sum();
    }
}
