package io.guidepost.gnrs;

import java.lang.foreign.MemorySegment;

/**
 * The placement in force. A reload builds a new one aside and publishes it here at once: no look-up waits for it, and
 * none sees half of it. Thread-safe.
 */
public final class LivePlacement {
    private volatile Placement current;

    /** Starts with a placement. */
    public LivePlacement(Placement first) {
        current = first;
    }

    /** The placement that is in force now. */
    public Placement get() {
        return current;
    }

    /** Puts a placement in force; the workers use it from their next question on. */
    public void publish(Placement next) {
        current = next;
    }

    /** A view for one worker that follows what is published; it allocates only when that changes. */
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
        @SuppressWarnings("ReferenceEquality") // A new snapshot is a new object, whether or not it says the same.
        public boolean isHere(MemorySegment segment, long offset) {
            Placement now = current;
            if (now != followed) {
                follow(now);
            }
            return placer.isHere(segment, offset);
        }

        private void follow(Placement now) {
            placer = now.placer();
            followed = now;
        }
    }
}
