package io.guidepost.proximity.ranking;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What was worked out for routers, as far as there is room: when a new one comes and the room is full, one that nobody
 * asked for since the hand last passed has to go (the clock of Corbató, 1968). Thread-safe; getting takes no lock.
 *
 * @param <T> what is kept for each router, immutable
 */
final class ClockCache<T> {
    private final AtomicReferenceArray<@Nullable T> kept;

    /** Whether each was asked for since the hand passed; a mark that is lost to a race costs nothing but work. */
    private final boolean[] used;

    private final int room;
    private int count;
    private int hand;
    private long dropped;

    /**
     * Makes it empty.
     *
     * @param routers how many there are
     * @param bytesMax of all that is kept; one is kept in any case
     * @param bytesEach of what is kept for one
     */
    ClockCache(int routers, long bytesMax, long bytesEach) {
        kept = new AtomicReferenceArray<>(routers);
        used = new boolean[routers];
        room = (int) Math.max(1, Math.min(routers, bytesMax / Math.max(1, bytesEach)));
    }

    /** What is kept for a router; null if nothing is. */
    @Nullable T get(int router) {
        T found = kept.getAcquire(router);
        if (found != null && !used[router]) {
            used[router] = true;
        }
        return found;
    }

    /** Whether something is kept for a router; not counted as use. */
    boolean has(int router) {
        return kept.getAcquire(router) != null;
    }

    /** Keeps something for a router, unless another thread was faster; what is kept. */
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

    /** How often one had to go. */
    synchronized long dropped() {
        return dropped;
    }
}
