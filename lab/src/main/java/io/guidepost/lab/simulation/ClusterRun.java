package io.guidepost.lab.simulation;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What came of one seed.
 *
 * @param seed which one
 * @param attempts requests of clients, retries counted
 * @param writes writes among them
 * @param acknowledged writes that a server acknowledged
 * @param datagrams sent by anyone to anyone
 * @param events things that happened in the world
 * @param messagesPerRequest questions among servers for one name, per request of a client for it; the most of all names
 * @param required bindings that had to be there in the end, summed over names
 * @param forbidden bindings that must not be there in the end, summed over names
 * @param faults how often each kind of trouble happened
 * @param virtualMillis how long it took in the world
 * @param digest the same only if all happened alike
 * @param breaches promises that were not kept, each with what it takes to see why; empty if all were
 * @param trace what happened, line by line, if it was asked for
 */
public record ClusterRun(
        long seed,
        int attempts,
        int writes,
        int acknowledged,
        long datagrams,
        long events,
        double messagesPerRequest,
        int required,
        int forbidden,
        Map<FaultKind, Integer> faults,
        long virtualMillis,
        long digest,
        List<String> breaches,
        List<String> trace) {
    /** Copies the collections. */
    public ClusterRun {
        Map<FaultKind, Integer> sorted = new EnumMap<>(FaultKind.class);
        sorted.putAll(faults);
        faults = Collections.unmodifiableMap(sorted);
        breaches = List.copyOf(breaches);
        trace = List.copyOf(trace);
    }
}
