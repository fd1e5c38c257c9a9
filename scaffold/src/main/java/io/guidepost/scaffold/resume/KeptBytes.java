package io.guidepost.scaffold.resume;

/**
 * A bound of the bytes that the flows of a gateway keep together, so that they can go on at another instance: requests, what
 * came behind a gap, and what a next instance sent that the client has not taken. Not thread-safe.
 */
public final class KeptBytes {
    private final long max;
    private final Runnable refusing;
    private long taken;

    /**
     * Creates a bound of which nothing is taken.
     *
     * @param refusing called each time that there is no room
     */
    public KeptBytes(long max, Runnable refusing) {
        this.max = max;
        this.refusing = refusing;
    }

    /** Returns a bound that is never met, for what one connection alone keeps. */
    static KeptBytes unbounded() {
        return new KeptBytes(Long.MAX_VALUE, () -> {});
    }

    /** Takes room; false if there is none. */
    public boolean take(int bytes) {
        if (taken + bytes > max) {
            refusing.run();
            return false;
        }
        taken += bytes;
        return true;
    }

    /** Gives room back. */
    public void free(int bytes) {
        taken -= bytes;
    }

    /** Returns how much is taken. */
    public long taken() {
        return taken;
    }
}
