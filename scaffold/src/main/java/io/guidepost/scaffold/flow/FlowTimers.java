package io.guidepost.scaffold.flow;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The flows that are to be looked at, and when: a binary heap by their times, in which each flow knows its place, so that a time is
 * changed without a search and leaves nothing behind. Belongs to one thread.
 */
final class FlowTimers {
    /** The place of a flow that is in no heap. */
    static final int NOWHERE = -1;

    private static final int PLACES_LEAST = 64;

    private @Nullable CarriedFlow[] heap = new CarriedFlow[PLACES_LEAST];
    private int count;

    /** Has a flow be looked at. */
    void set(CarriedFlow flow, long atNanos) {
        if (flow.timerPlace == NOWHERE) {
            heap = count == heap.length ? Arrays.copyOf(heap, 2 * count) : heap;
            flow.dueNanos = atNanos;
            rise(flow, count++);
        } else {
            boolean earlier = atNanos - flow.dueNanos < 0;
            flow.dueNanos = atNanos;
            move(flow, flow.timerPlace, earlier);
        }
    }

    /** Has a flow not be looked at. */
    void clear(CarriedFlow flow) {
        int place = flow.timerPlace;
        if (place == NOWHERE) {
            return;
        }
        flow.timerPlace = NOWHERE;
        CarriedFlow last = at(--count);
        heap[count] = null;
        if (last != flow) {
            move(last, place, last.dueNanos - flow.dueNanos < 0);
        }
        flow.dueNanos = Long.MAX_VALUE;
    }

    /** Returns a flow that is due, which has no time then; null if none is. */
    @Nullable
    CarriedFlow poll(long nowNanos) {
        if (restNanos(nowNanos) > 0) {
            return null;
        }
        CarriedFlow first = at(0);
        clear(first);
        return first;
    }

    /** Returns the nanoseconds until the next flow is due. */
    long restNanos(long nowNanos) {
        return count == 0 ? Long.MAX_VALUE : Math.max(0, at(0).dueNanos - nowNanos);
    }

    @SuppressWarnings("NullAway") // Each place below the count is taken.
    private CarriedFlow at(int place) {
        return heap[place];
    }

    private void put(CarriedFlow flow, int place) {
        heap[place] = flow;
        flow.timerPlace = place;
    }

    private void move(CarriedFlow flow, int place, boolean earlier) {
        if (earlier) {
            rise(flow, place);
        } else {
            sink(flow, place);
        }
    }

    private void rise(CarriedFlow flow, int from) {
        int place = from;
        for (int parent; place > 0 && at(parent = place - 1 >> 1).dueNanos - flow.dueNanos > 0; place = parent) {
            put(at(parent), place);
        }
        put(flow, place);
    }

    private void sink(CarriedFlow flow, int from) {
        int place = from;
        for (int child = 2 * place + 1; child < count; child = 2 * place + 1) {
            if (child + 1 < count && at(child + 1).dueNanos - at(child).dueNanos < 0) {
                child++;
            }
            if (at(child).dueNanos - flow.dueNanos >= 0) {
                break;
            }
            put(at(child), place);
            place = child;
        }
        put(flow, place);
    }
}
