package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsMessageFlyweight;
import io.guidepost.names.Exchange;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.store.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Look-ups of one worker that wait for the engine: a bounded pool. Slots, with their readers and scratch, are made when
 * first needed and kept.
 */
final class DeferredLookups {
    private final GnrsSettings settings;
    private final RecordStore store;
    private final Executor executor;
    private final Runnable wake;
    private final List<DeferredLookup> free = new ArrayList<>();
    private final Queue<DeferredLookup> done = new ConcurrentLinkedQueue<>();
    private @Nullable Supplier<Ranking> rankings;
    private int made;
    private int waiting;

    DeferredLookups(GnrsSettings settings, RecordStore store, Executor executor, Runnable wake) {
        this.settings = settings;
        this.store = store;
        this.executor = executor;
        this.wake = wake;
    }

    /** Has answers that are cut keep the nearest places; before the first look-up. */
    void nearestFirst(Supplier<Ranking> by) {
        rankings = by;
    }

    /**
     * Hands a look-up to the executor.
     *
     * @param placedHere whether its name is kept here
     * @param ordered whether an answer that is cut is to keep the nearest places
     * @return false if too many wait already
     */
    boolean submit(Exchange exchange, GnrsMessageFlyweight question, boolean placedHere, boolean ordered) {
        if (free.isEmpty() && made == settings.lookupsDeferredMax()) {
            return false;
        }
        DeferredLookup slot = free.isEmpty() ? make() : free.removeLast();
        slot.fill(exchange, question, placedHere, ordered);
        try {
            executor.execute(slot);
        } catch (RejectedExecutionException closing) {
            slot.release();
            free.add(slot);
            return false;
        }
        waiting++;
        return true;
    }

    private DeferredLookup make() {
        made++;
        return new DeferredLookup(this, settings, store.throughReader(), rankings);
    }

    /** Called by the executor's thread. */
    void completed(DeferredLookup slot) {
        done.add(slot);
        wake.run();
    }

    /** A look-up that came back, or null; the caller reads it and gives it to {@link #recycle}. */
    @Nullable DeferredLookup next() {
        return waiting == 0 ? null : done.poll();
    }

    void recycle(DeferredLookup slot) {
        waiting--;
        slot.release();
        free.add(slot);
    }
}
