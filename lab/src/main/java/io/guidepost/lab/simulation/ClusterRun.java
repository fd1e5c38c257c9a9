package io.guidepost.lab.simulation;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of one seed.
 *
 * @param seed the seed
 * @param attempts requests of clients, retries counted
 * @param writes writes among them
 * @param acknowledged writes that a server acknowledged
 * @param datagrams all datagrams sent
 * @param events events of the simulation
 * @param messagesPerRequest requests between servers for one name, per client request for it; the most of all names
 * @param required bindings that had to be there in the end, summed over names
 * @param forbidden bindings that must not be there in the end, summed over names
 * @param reached how often each bound was reached, by name
 * @param faults the number of injected faults of each kind
 * @param virtualMillis the simulated time
 * @param digest equal only for equal runs
 * @param breaches violated invariants, each with its explanation; empty if there are none
 * @param trace the event log, line by line, if it was on
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
        Map<String, Long> reached,
        Map<FaultKind, Integer> faults,
        long virtualMillis,
        long digest,
        List<String> breaches,
        List<String> trace) {
    /** Copies the collections. */
    public ClusterRun {
        Map<FaultKind, Integer> sorted = new EnumMap<>(FaultKind.class);
        sorted.putAll(faults);
        reached = Collections.unmodifiableMap(new TreeMap<>(reached));
        faults = Collections.unmodifiableMap(sorted);
        breaches = List.copyOf(breaches);
        trace = List.copyOf(trace);
    }
}
