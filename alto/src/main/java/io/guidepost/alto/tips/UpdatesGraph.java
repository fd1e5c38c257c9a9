package io.guidepost.alto.tips;

import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.update.PatchCache;
import io.guidepost.alto.update.ResourceUpdate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The updates graph of a resource (RFC 9569 section 2.2): versions with consecutive numbers, an edge from 0 to each of
 * them, which is the full resource, and one from each to the next, which is the incremental update. Both ends only
 * grow. Guarded by its own lock.
 */
final class UpdatesGraph {
    private final String resource;
    private final PatchCache differences;
    private final ArrayDeque<Node> nodes = new ArrayDeque<>();
    private long version;
    private long end;
    private long bytes;

    /**
     * A version.
     *
     * @param seq its number
     * @param step the update from the version before
     */
    private record Node(long seq, ResourceContent content, ResourceUpdate step) {}

    /**
     * The start of a client.
     *
     * @param start number of the oldest version kept
     * @param end number of the newest
     * @param from start of the recommended edge
     * @param to end of it
     */
    record Summary(long start, long end, long from, long to) {}

    /** The state of an edge. */
    sealed interface Edge {
        /** The edge exists. */
        record There(ResourceUpdate update) implements Edge {}

        /** Why there is no edge. */
        enum Missing implements Edge {
            /** It is the next one, which does not exist yet. */
            NEXT,
            /** It existed once. */
            GONE,
            /** It is beyond the next one. */
            EARLY,
            /** The graph never has such an edge. */
            NONE
        }
    }

    UpdatesGraph(String resource, PatchCache differences, long version, ResourceContent first) {
        this.resource = resource;
        this.differences = differences;
        this.version = version;
        append(first, ResourceUpdate.whole(first));
    }

    /**
     * Adds the content of a resource, if it is new.
     *
     * @param of snapshot version of the content; one that is older than the last changes nothing
     */
    synchronized void advance(long of, ResourceContent now) {
        if (of <= version) {
            return;
        }
        version = of;
        ResourceContent last = nodes.getLast().content();
        if (!PatchCache.same(last, now)) {
            append(now, differences.between(resource, last, now));
        }
    }

    private void append(ResourceContent content, ResourceUpdate step) {
        nodes.add(new Node(++end, content, step));
        bytes += content.body().length;
        while (nodes.size() > TipsLimits.VERSIONS_MAX || nodes.size() > 1 && bytes > TipsLimits.VERSION_BYTES_MAX) {
            bytes -= nodes.remove().content().body().length;
        }
    }

    /**
     * Returns the state of the graph, and the edge for a client that has a version: the first update from it, unless
     * all updates together are longer than the full newest version.
     *
     * @param tag of the version that the client has
     */
    synchronized Summary summary(Optional<String> tag) {
        long start = nodes.getFirst().seq();
        long snapshot = nodes.getLast().content().body().length;
        List<Node> held = new ArrayList<>();
        for (Node each : nodes) {
            if (!each.content().tag().isEmpty() && tag.equals(Optional.of(each.content().tag()))) {
                held.clear();
                held.add(each);
            } else if (!held.isEmpty()) {
                held.add(each);
            }
        }
        long steps = held.stream().skip(1).mapToLong(each -> each.step().body().length).sum();
        return held.isEmpty() || steps >= snapshot
                ? new Summary(start, end, 0, end)
                : new Summary(start, end, held.getFirst().seq(), held.getFirst().seq() + 1);
    }

    synchronized Edge edge(long from, long to) {
        long start = nodes.getFirst().seq();
        if (from < 0 || to <= from) {
            return Edge.Missing.NONE;
        }
        if (to < start || from != 0 && from < start) {
            return Edge.Missing.GONE;
        }
        if (from == end && to == end + 1) {
            return Edge.Missing.NEXT;
        }
        if (to > end) {
            return Edge.Missing.EARLY;
        }
        if (from != 0 && to != from + 1) {
            return Edge.Missing.NONE;
        }
        Node node = nodes.stream().filter(each -> each.seq() == to).findFirst().orElseThrow();
        return new Edge.There(from == 0 ? ResourceUpdate.whole(node.content()) : node.step());
    }
}
