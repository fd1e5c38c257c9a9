package io.guidepost.lab.dmap;

import java.util.List;

/**
 * A look-up policy.
 *
 * @param name its name in reports
 * @param order the order in which replicas are asked
 * @param hedged whether it hedges: a hedged request goes to another replica when the last one asked takes longer than 95
 *     of 100 of its answers do; else only a timeout triggers another request
 * @param patience whether the timeout of a request is {@value #PATIENCE} times the server's 95th percentile, except for
 *     the last replica, and later answers are lost, as in a Guidepost server; else all wait for the full timeout, and
 *     late answers count
 * @param local whether the AS that inserted a name keeps a copy too, which answers its own look-ups
 * @param remembered whether an AS caches every answer for ever: the upper bound of a cache
 */
public record LookupMethod(
        String name, Order order, boolean hedged, boolean patience, boolean local, boolean remembered) {
    /** See {@link #patience()}. */
    static final int PATIENCE = 4;

    /** The shortest timeout with patience, in microseconds. */
    static final long PATIENCE_MICROS_MIN = 30_000;

    /** The order in which replicas are asked. */
    public enum Order {
        /** Random. */
        RANDOM,
        /** Fewest AS hops, which BGP tells: the paper's substitute. */
        LEAST_HOPS,
        /** Shortest path in the graph, as if all latencies were known: the paper's choice. */
        SHORTEST_PATH,
        /** Lowest measured round-trip time; servers that are known to be down are asked last. */
        MEASURED,
        /** All at once. */
        ALL
    }

    /** The baseline of the improvements: the paper's choice as far as it is possible without measuring. */
    public static final LookupMethod LEAST_HOPS = new LookupMethod("least hops", Order.LEAST_HOPS, false, false, false, false);

    /** The paper's choice, had its servers known all latencies. */
    public static final LookupMethod SHORTEST_PATH =
            new LookupMethod("shortest path", Order.SHORTEST_PATH, false, false, false, false);

    /** All three improvements. */
    public static final LookupMethod GUIDEPOST =
            new LookupMethod("measured + hedging + local copy", Order.MEASURED, true, false, true, false);

    /** The policies compared, each improvement by itself and together. */
    public static final List<LookupMethod> ALL = List.of(
            new LookupMethod("random", Order.RANDOM, false, false, false, false),
            LEAST_HOPS,
            new LookupMethod("least hops + local copy", Order.LEAST_HOPS, false, false, true, false),
            new LookupMethod("least hops + hedging", Order.LEAST_HOPS, true, false, false, false),
            SHORTEST_PATH,
            new LookupMethod("shortest path + local copy", Order.SHORTEST_PATH, false, false, true, false),
            new LookupMethod("shortest path + hedging", Order.SHORTEST_PATH, true, false, false, false),
            new LookupMethod("measured", Order.MEASURED, false, false, false, false),
            new LookupMethod("measured + local copy", Order.MEASURED, false, false, true, false),
            new LookupMethod("measured + hedging", Order.MEASURED, true, false, false, false),
            GUIDEPOST,
            new LookupMethod("all three + patience", Order.MEASURED, true, true, true, false),
            new LookupMethod("all of that + cache", Order.MEASURED, true, true, true, true),
            new LookupMethod("all at once", Order.ALL, false, false, false, false));
}
