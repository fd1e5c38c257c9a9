package io.guidepost.gnrs.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * Keeps the requests for one name in order while requests for many names are in flight: a write waits for the requests
 * in flight for its name, and later requests wait for the write. Look-ups alone do not wait for each other.
 *
 * @param <K> the name
 * @param <R> the request
 */
final class PerKeyOrdering<K, R> {
    private final Map<K, Lane<R>> lanes = new HashMap<>();

    private record QueuedRequest<R>(R request, boolean writes) {}

    private static final class Lane<R> {
        final Queue<QueuedRequest<R>> waiting = new ArrayDeque<>();
        int underWay;
        boolean writing;
    }

    /** Admits a request; returns whether it may be sent at once. If not, {@link #leave} returns it later. */
    boolean enter(K name, R request, boolean writes) {
        Lane<R> lane = lanes.computeIfAbsent(name, first -> new Lane<>());
        if (lane.underWay > 0 && (writes || lane.writing || !lane.waiting.isEmpty())) {
            lane.waiting.add(new QueuedRequest<>(request, writes));
            return false;
        }
        lane.underWay++;
        lane.writing = writes;
        return true;
    }

    /** Completes a request for a name and returns the requests that may be sent now, in order. */
    List<R> leave(K name) {
        Lane<R> lane = lanes.get(name);
        if (lane == null || --lane.underWay > 0) {
            return List.of();
        }
        if (lane.waiting.isEmpty()) {
            lanes.remove(name);
            return List.of();
        }
        List<R> next = new ArrayList<>();
        do {
            QueuedRequest<R> first = lane.waiting.remove();
            lane.underWay++;
            lane.writing = first.writes;
            next.add(first.request);
        } while (!lane.writing && !lane.waiting.isEmpty() && !lane.waiting.peek().writes);
        return next;
    }

    void clear() {
        lanes.clear();
    }
}
