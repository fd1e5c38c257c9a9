package io.guidepost.proximity.ranking;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache with one entry per router and CLOCK eviction: if it is full, an entry that was not used since the
 * hand last passed is evicted (Corbató, 1968). Thread-safe; reads take no lock.
 *
 * @param <T> cached value, immutable
 */
final class ClockCache<T> {
    private final AtomicReferenceArray<@Nullable T> kept;

    /** Whether each was used since the hand passed; a mark lost to a race costs nothing but work. */
    private final boolean[] used;

    private final int room;
    private int count;
    private int hand;
    private long dropped;

    /**
     * Creates an empty cache.
     *
     * @param routers number of routers
     * @param bytesMax of all values; one value is kept in any case
     * @param bytesEach of one value
     */
    ClockCache(int routers, long bytesMax, long bytesEach) {
        kept = new AtomicReferenceArray<>(routers);
        used = new boolean[routers];
        room = (int) Math.max(1, Math.min(routers, bytesMax / Math.max(1, bytesEach)));
    }

    /** Returns the value of a router; null if it is not cached. */
    @Nullable T get(int router) {
        T found = kept.getAcquire(router);
        if (found != null && !used[router]) {
            used[router] = true;
        }
        return found;
    }

    /** Returns whether a router has a value; this does not count as use. */
    boolean has(int router) {
        return kept.getAcquire(router) != null;
    }

    /** Adds a value unless another thread was faster; returns the cached one. */
    synchronized T put(int router, T made) {
        T other = kept.getAcquire(router);
        if (other != null) {
            return other;
        }
        if (count == room) {
            drop();
        }
        kept.setRelease(router, made);
        used[router] = true;
        count++;
        return made;
    }

    private void drop() {
        while (true) {
            hand = hand + 1 < used.length ? hand + 1 : 0;
            if (kept.getAcquire(hand) == null) {
                continue;
            }
            if (!used[hand]) {
                kept.setRelease(hand, null);
                count--;
                dropped++;
                return;
            }
            used[hand] = false;
        }
    }

    /** Returns the number of evictions. */
    synchronized long dropped() {
        return dropped;
    }
}
