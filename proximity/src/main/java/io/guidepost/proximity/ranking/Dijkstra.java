package io.guidepost.proximity.ranking;

import java.util.Arrays;

/**
 * Finds the paths of least weight from one router (Dijkstra, 1959), with the tie-break of
 * {@link io.guidepost.proximity.topology.RoutingMode#IMPLICIT}. Routers wait in a binary heap, by weight and then by hops:
 * a link always increases one of the two, so a router that leaves the heap has its final path.
 */
final class Dijkstra {
    private final RoutingGraph graph;
    private final RouterPaths paths;
    private final int[] heap;

    /** Index of each router in the heap; -1 if it is not there. */
    private final int[] place;

    private int waiting;

    Dijkstra(RoutingGraph graph, RouterPaths paths) {
        this.graph = graph;
        this.paths = paths;
        this.heap = new int[graph.ids.length];
        this.place = new int[graph.ids.length];
        Arrays.fill(place, -1);
    }

    void search(int source) {
        push(source);
        while (waiting > 0) {
            int at = pop();
            for (int link = graph.firstLink[at]; link < graph.firstLink[at + 1]; link++) {
                if (better(link)) {
                    paths.extend(link);
                    push(graph.to[link]);
                }
            }
        }
    }

    /**
     * Returns whether the path to the start of a link, and then the link, is better than the known path to its end.
     */
    private boolean better(int link) {
        int before = graph.from[link];
        int end = graph.to[link];
        double weight = paths.weight[before] + graph.weight[link];
        if (weight != paths.weight[end]) {
            return weight < paths.weight[end];
        }
        int hops = paths.hops[before] + 1;
        if (hops != paths.hops[end]) {
            return hops < paths.hops[end];
        }
        double bandwidth = Math.min(paths.bandwidth[before], graph.bandwidth[link]);
        if (bandwidth != paths.bandwidth[end]) {
            return bandwidth > paths.bandwidth[end];
        }
        double latency = paths.latency[before] + graph.latency[link];
        if (latency != paths.latency[end]) {
            return latency < paths.latency[end];
        }
        return earlier(before, graph.from[paths.last[end]]);
    }

    /** Returns whether the first of two paths with equal hops has the lower router where they part. */
    private boolean earlier(int some, int other) {
        int one = some;
        int two = other;
        while (one != two) {
            int beforeOne = before(one);
            int beforeTwo = before(two);
            if (beforeOne == beforeTwo) {
                return one < two;
            }
            one = beforeOne;
            two = beforeTwo;
        }
        return false;
    }

    private int before(int router) {
        int link = paths.last[router];
        return link == RoutingGraph.NO_LINK ? router : graph.from[link];
    }

    private boolean nearer(int one, int two) {
        double left = paths.weight[one];
        double right = paths.weight[two];
        return left != right ? left < right : paths.hops[one] < paths.hops[two];
    }

    /** Adds a router to the heap, or moves it up after its path got shorter. */
    private void push(int router) {
        int at = place[router];
        if (at < 0) {
            at = waiting++;
        }
        while (at > 0 && nearer(router, heap[(at - 1) >>> 1])) {
            set(at, heap[(at - 1) >>> 1]);
            at = (at - 1) >>> 1;
        }
        set(at, router);
    }

    private int pop() {
        int first = heap[0];
        place[first] = -1;
        int moved = heap[--waiting];
        int at = 0;
        for (int child = 1; child < waiting; child = 2 * at + 1) {
            if (child + 1 < waiting && nearer(heap[child + 1], heap[child])) {
                child++;
            }
            if (!nearer(heap[child], moved)) {
                break;
            }
            set(at, heap[child]);
            at = child;
        }
        if (waiting > 0) {
            set(at, moved);
        }
        return first;
    }

    private void set(int at, int router) {
        heap[at] = router;
        place[router] = at;
    }
}
