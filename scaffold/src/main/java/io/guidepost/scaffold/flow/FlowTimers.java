package io.guidepost.scaffold.flow;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The flows that are to be looked at, and when. An entry whose time is not its flow's any more is skipped, so that a time is
 * changed without a search. Belongs to one thread.
 */
final class FlowTimers {
    private record Entry(long dueNanos, CarriedFlow flow) {}

    private final PriorityQueue<Entry> entries = new PriorityQueue<>((a, b) -> Long.signum(a.dueNanos - b.dueNanos));

    /** Has a flow be looked at. */
    void set(CarriedFlow flow, long atNanos) {
        flow.dueNanos = atNanos;
        entries.add(new Entry(atNanos, flow));
    }

    /** Has a flow not be looked at. */
    void clear(CarriedFlow flow) {
        flow.dueNanos = Long.MAX_VALUE;
    }

    /** Returns a flow that is due, which has no time then; null if none is. */
    @Nullable
    CarriedFlow poll(long nowNanos) {
        for (Entry next = entries.peek(); next != null && next.dueNanos - nowNanos <= 0; next = entries.peek()) {
            entries.remove();
            if (next.flow.dueNanos == next.dueNanos) {
                clear(next.flow);
                return next.flow;
            }
        }
        return null;
    }

    /** Returns the nanoseconds until the next flow may be due. */
    long restNanos(long nowNanos) {
        Entry next = entries.peek();
        return next == null ? Long.MAX_VALUE : Math.max(0, next.dueNanos - nowNanos);
    }
}
