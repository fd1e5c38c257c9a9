package io.guidepost.handle.value;

/**
 * The time to live of a value in a cache: relative to its arrival, or until an absolute time (RFC 3651 section 3.1).
 */
public sealed interface Ttl {
    /** Seconds of one day. */
    long DAY = 86_400;

    /**
     * A number of seconds after the cache received the value.
     *
     * @param seconds 0 to 2^32-1
     */
    record Relative(long seconds) implements Ttl {
        /** Refuses a number that 32 bits do not hold. */
        public Relative {
            check(seconds);
        }
    }

    /**
     * Until an absolute time.
     *
     * @param seconds since 1970, 0 to 2^32-1
     */
    record Until(long seconds) implements Ttl {
        /** Refuses a number that 32 bits do not hold. */
        public Until {
            check(seconds);
        }
    }

    /** Returns the default: one day after the cache received the value. */
    static Ttl usual() {
        return new Relative(DAY);
    }

    /** Returns the number next to its kind, 0 to 2^32-1. */
    long seconds();

    /** Returns the kind on the wire: 0 relative, 1 absolute. */
    default int kind() {
        return switch (this) {
            case Relative _ -> 0;
            case Until _ -> 1;
        };
    }

    private static void check(long seconds) {
        if (seconds >>> 32 != 0) {
            throw new IllegalArgumentException("a TTL is 0 to 4294967295 seconds, not " + seconds);
        }
    }
}
