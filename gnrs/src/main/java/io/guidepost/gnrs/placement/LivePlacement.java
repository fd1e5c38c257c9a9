package io.guidepost.gnrs.placement;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * The placement in force. A reload builds the next one aside and publishes it here with one write: no look-up waits for
 * it, and none sees half of it. Thread-safe.
 */
public final class LivePlacement {
    private volatile Placement current;

    private volatile Placement previous;

    /** Starts with a placement. */
    public LivePlacement(Placement first) {
        current = first;
        previous = first;
    }

    /**
     * Returns the placement before the one in force while records may still be where it had them; after {@link #settle}
     * the one in force.
     */
    public Placement previous() {
        return previous;
    }

    /**
     * Records that every record of this server is where the given placement wants it; a placement published since stays
     * unsettled.
     */
    public synchronized void settle(Placement settled) {
        if (settled.equals(current)) {
            previous = settled;
        }
    }

    /** Returns the placement that is in force now. */
    public Placement get() {
        return current;
    }

    /** Puts a placement in force; the workers use it from their next request on. */
    public synchronized void publish(Placement next) {
        current = next;
    }

    /** Returns a view for one worker that follows what is published; it allocates only when the placement changes. */
    public Placer placer() {
        return new Follower(current);
    }

    private final class Follower implements Placer {
        private Placement followed;
        private Placer placer;

        Follower(Placement followed) {
            this.followed = followed;
            this.placer = followed.placer();
        }

        @Override
        public boolean isHere(MemorySegment segment, long offset) {
            return placer().isHere(segment, offset);
        }

        @Override
        public int servers(MemorySegment segment, long offset, InetSocketAddress[] servers) {
            return placer().servers(segment, offset, servers);
        }

        @SuppressWarnings("ReferenceEquality") // A new snapshot is a new object, even if it is equal.
        private Placer placer() {
            Placement now = current;
            if (now != followed) {
                follow(now);
            }
            return placer;
        }

        private void follow(Placement now) {
            placer = now.placer();
            followed = now;
        }
    }
}
