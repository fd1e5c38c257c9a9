package io.guidepost.handle.value;

/** How long a cache may keep a value: from when it got it, or until a time (RFC 3651 section 3.1). */
public sealed interface Ttl {
    /** Seconds of one day. */
    long DAY = 86_400;

    /**
     * So long from when the cache got it.
     *
     * @param seconds 0 to 2^32-1
     */
    record Relative(long seconds) implements Ttl {
        /** Refuses what 32 bits do not hold. */
        public Relative {
            check(seconds);
        }
    }

    /**
     * Until a time.
     *
     * @param seconds since 1970, 0 to 2^32-1
     */
    record Until(long seconds) implements Ttl {
        /** Refuses what 32 bits do not hold. */
        public Until {
            check(seconds);
        }
    }

    /** One day from when the cache got it: what values have that do not say. */
    static Ttl usual() {
        return new Relative(DAY);
    }

    /** The number beside its kind, 0 to 2^32-1. */
    long seconds();

    /** The kind on the wire: 0 relative, 1 absolute. */
    default int kind() {
        return switch (this) {
            case Relative _ -> 0;
            case Until _ -> 1;
        };
    }

    private static void check(long seconds) {
        if (seconds >>> 32 != 0) {
            throw new IllegalArgumentException("a TTL has 32 bits, " + seconds + " has more");
        }
    }
}
