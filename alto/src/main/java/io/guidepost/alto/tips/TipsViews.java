package io.guidepost.alto.tips;

import io.guidepost.alto.AltoResource;
import io.guidepost.base.Address;
import io.guidepost.base.SharedCounters;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The open views, least recently used first. Views with equal content share one graph. Thread-safe. */
final class TipsViews {
    private final LongSupplier clock;
    private final SharedCounters<TipsCount> counts;
    private final Map<String, Used> views = new LinkedHashMap<>();
    private final Map<String, WeakReference<UpdatesGraph>> shared = new HashMap<>();

    private record Used(TipsView view, long nanos) {}

    TipsViews(LongSupplier clock, SharedCounters<TipsCount> counts) {
        this.clock = clock;
        this.counts = counts;
    }

    /** Opens a view; returns empty if there are too many. */
    synchronized Optional<TipsView> open(
            String id, AltoResource resource, Optional<byte[]> input, Address opener, Supplier<UpdatesGraph> first) {
        expire();
        long ofAddress = views.values().stream()
                .filter(each -> each.view().opener().equals(opener))
                .count();
        if (views.size() >= TipsLimits.VIEWS_MAX || ofAddress >= TipsLimits.VIEWS_PER_ADDRESS_MAX) {
            return Optional.empty();
        }
        UpdatesGraph graph = resource.accepts().isPresent() ? first.get() : shared(resource.id(), first);
        TipsView view = new TipsView(id, resource, input, opener, graph);
        views.put(id, new Used(view, clock.getAsLong()));
        return Optional.of(view);
    }

    /** Returns the shared graph, which lives as long as a view refers to it. */
    private UpdatesGraph shared(String resource, Supplier<UpdatesGraph> first) {
        WeakReference<UpdatesGraph> held = shared.get(resource);
        UpdatesGraph graph = held == null ? null : held.get();
        if (graph == null) {
            graph = first.get();
            shared.put(resource, new WeakReference<>(graph));
        }
        return graph;
    }

    /** Returns an open view and marks it as used. */
    synchronized Optional<TipsView> use(String id) {
        expire();
        Used used = views.remove(id);
        if (used == null) {
            return Optional.empty();
        }
        views.put(id, new Used(used.view(), clock.getAsLong()));
        return Optional.of(used.view());
    }

    /** Closes a view; returns whether it was open. */
    synchronized boolean close(String id) {
        expire();
        return views.remove(id) != null;
    }

    synchronized int size() {
        return views.size();
    }

    private void expire() {
        long now = clock.getAsLong();
        while (!views.isEmpty()) {
            Map.Entry<String, Used> oldest = views.entrySet().iterator().next();
            if (now - oldest.getValue().nanos() <= TipsLimits.IDLE_MAX.toNanos()) {
                return;
            }
            views.remove(oldest.getKey());
            counts.add(TipsCount.VIEWS_CLOSED_IDLE);
        }
    }
}
