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
 * A bounded pool of the look-ups of one worker that wait for the storage engine. Slots, with their readers and scratch,
 * are created on first use and kept.
 */
final class DeferredLookups {
    private GnrsSettings settings;
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

    /** Follows new settings, but for the bound of look-ups that wait. */
    void follow(GnrsSettings next) {
        settings = next;
    }

    /** Makes truncated answers keep the nearest places; called before the first look-up. */
    void nearestFirst(Supplier<Ranking> by) {
        rankings = by;
    }

    /**
     * Hands a look-up to the executor.
     *
     * @param placedHere whether this server keeps the name
     * @param ordered whether a truncated answer keeps the nearest places
     * @return false if the pool is exhausted
     */
    boolean submit(Exchange exchange, GnrsMessageFlyweight question, boolean placedHere, boolean ordered) {
        if (free.isEmpty() && made == settings.lookupsDeferredMax()) {
            return false;
        }
        DeferredLookup slot = free.isEmpty() ? make() : free.removeLast();
        slot.fill(settings, exchange, question, placedHere, ordered);
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

    /** Queues a completed look-up for the worker; the executor's thread calls. */
    void completed(DeferredLookup slot) {
        done.add(slot);
        wake.run();
    }

    /** Returns a completed look-up, or null; the caller reads it and gives it to {@link #recycle}. */
    @Nullable DeferredLookup next() {
        return waiting == 0 ? null : done.poll();
    }

    void recycle(DeferredLookup slot) {
        waiting--;
        slot.release();
        free.add(slot);
    }
}
