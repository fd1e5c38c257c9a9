package io.guidepost.fleet;

/**
 * How front ends tell each other of what they wrote, so that their caches drop it at once. What is lost on the way is seen when
 * {@link FleetSettings#staleMillis} has passed.
 */
public interface CacheInvalidations {
    /** Version of a write whose outcome is not known: it may be any. */
    long UNKNOWN = Long.MAX_VALUE;

    /** A front end that has no others, or is not told of them. */
    CacheInvalidations NONE = new CacheInvalidations() {
        @Override
        public void follow(Listener listener) {}

        @Override
        public void written(byte[] key, long version) {}
    };

    /** Takes what other front ends tell. */
    @FunctionalInterface
    interface Listener {
        /**
         * Drops what is cached of a record, if it is older than a version; by one thread at a time.
         *
         * @param version of the record now, or {@link #UNKNOWN}
         */
        void written(byte[] key, long version);
    }

    /** Begins to tell a listener what others write; called once. */
    void follow(Listener listener);

    /** Tells the others of a write, without waiting for them; by any thread. */
    void written(byte[] key, long version);
}
