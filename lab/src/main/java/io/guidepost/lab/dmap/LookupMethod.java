package io.guidepost.lab.dmap;

import java.util.List;

/**
 * How a look-up goes about it.
 *
 * @param name for people
 * @param order which replica is asked first
 * @param hedged whether another is asked when the one that was asked last takes longer than 95 of 100 of its answers do;
 *     else only when it was silent until the timeout
 * @param patience whether an answer is waited for no longer than {@value #PATIENCE} times what 95 of 100 of the server's
 *     answers take, that of the last replica until the timeout, and is lost when it comes later, as in a Guidepost
 *     server; else another is asked after the timeout, and an answer is taken whenever it comes
 * @param local whether the AS that inserted a name keeps a copy too, from which its own look-ups are answered
 * @param remembered whether an AS remembers for ever what it has once been told: the most that a cache could do
 */
public record LookupMethod(
        String name, Order order, boolean hedged, boolean patience, boolean local, boolean remembered) {
    /** See {@link #patience()}. */
    static final int PATIENCE = 4;

    /** The least that an answer is waited for with patience, in microseconds. */
    static final long PATIENCE_MICROS_MIN = 30_000;

    /** Which replica is asked first, and which next. */
    public enum Order {
        /** Any. */
        RANDOM,
        /** That with the fewest links on the way, which BGP tells: the paper's substitute. */
        LEAST_HOPS,
        /** That with the shortest path in the graph, as if everyone knew it: the paper's choice. */
        SHORTEST_PATH,
        /** That whose answers came soonest so far; those that are known to be down are asked last. */
        MEASURED,
        /** All at once. */
        ALL
    }

    /** The method that improvements are compared with: the paper's choice as it can be had without measuring. */
    public static final LookupMethod LEAST_HOPS = new LookupMethod("least hops", Order.LEAST_HOPS, false, false, false, false);

    /** The paper's choice, had its servers known all latencies. */
    public static final LookupMethod SHORTEST_PATH =
            new LookupMethod("shortest path", Order.SHORTEST_PATH, false, false, false, false);

    /** All three improvements. */
    public static final LookupMethod GUIDEPOST =
            new LookupMethod("measured + race + local copy", Order.MEASURED, true, false, true, false);

    /** What is compared, each improvement by itself and together. */
    public static final List<LookupMethod> ALL = List.of(
            new LookupMethod("random", Order.RANDOM, false, false, false, false),
            LEAST_HOPS,
            new LookupMethod("least hops + local copy", Order.LEAST_HOPS, false, false, true, false),
            new LookupMethod("least hops + race", Order.LEAST_HOPS, true, false, false, false),
            SHORTEST_PATH,
            new LookupMethod("shortest path + local copy", Order.SHORTEST_PATH, false, false, true, false),
            new LookupMethod("shortest path + race", Order.SHORTEST_PATH, true, false, false, false),
            new LookupMethod("measured", Order.MEASURED, false, false, false, false),
            new LookupMethod("measured + local copy", Order.MEASURED, false, false, true, false),
            new LookupMethod("measured + race", Order.MEASURED, true, false, false, false),
            GUIDEPOST,
            new LookupMethod("all three + patience", Order.MEASURED, true, true, true, false),
            new LookupMethod("all of that + remembered", Order.MEASURED, true, true, true, true),
            new LookupMethod("all at once", Order.ALL, false, false, false, false));
}
