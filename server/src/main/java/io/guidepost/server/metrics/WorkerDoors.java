package io.guidepost.server.metrics;

import io.guidepost.base.Counters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The doors of a service by their worker, for metrics that sum what the doors of each worker counted. Thread-safe. */
public final class WorkerDoors<D> {
    private final Map<Integer, List<D>> doors = new ConcurrentSkipListMap<>();

    /** Adds a door. */
    public void add(int worker, D door) {
        doors.computeIfAbsent(worker, each -> new CopyOnWriteArrayList<>()).add(door);
    }

    /** Passes the number of each worker and its doors to a visitor. */
    public void forEach(BiConsumer<String, List<D>> visitor) {
        doors.forEach((worker, all) -> visitor.accept(worker.toString(), all));
    }

    /** Writes families of counters, with the worker as first label. */
    public <E extends Enum<E>> void write(Exposition out, CounterFamilies<E> families, Function<D, Counters<E>> counters) {
        Map<String, ToLongFunction<E>> counts = new LinkedHashMap<>();
        forEach((worker, all) -> counts.put(worker, CounterFamilies.sum(all.stream().map(counters).toList())));
        families.write(out, "worker", counts);
    }

    /** Writes how often each fault was counted; {@code none} stands for no fault. */
    public <E extends Enum<E>> void writeFaults(Exposition out, E none, Function<D, Counters<E>> counters) {
        forEach((worker, all) -> {
            ToLongFunction<E> counts = CounterFamilies.sum(all.stream().map(counters).toList());
            for (E fault : none.getDeclaringClass().getEnumConstants()) {
                if (fault != none) {
                    out.sample(counts.applyAsLong(fault), "worker", worker, "reason", Exposition.name(fault));
                }
            }
        });
    }
}
