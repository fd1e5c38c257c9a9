package io.guidepost.packet.admission;

/**
 * Remembers which sources have come before, of which there may be any number, in a bounded table. A source is known when it has
 * come in one second and again in a later one, within a minute; it stays known for ten minutes after its last datagram. An
 * attacker that forges sources at random would have to hit the same one twice in that time. Belongs to one worker; allocates
 * nothing after its construction.
 *
 * <p>Neither table is ever full of the latest sources: the entry of a new source is not overwritten while it is fresh, and a
 * known source gives way only when it has been silent for long. So a flood of new sources drives no known source out.
 *
 * <pre>
 * entry: 32 bits of the source's hash, never 0 | 32 bits of a second: of the first datagram, or once known, of the last
 * </pre>
 */
final class KnownSources {
    /** Known sources of one queue: the queues of a worker share its clients. 128 KiB. */
    static final int SOURCES = 1 << 14;

    /** Seconds after its last datagram until a source is new again. */
    static final int KEPT_SECONDS = 600;

    /** Seconds within which a new source has to come again. */
    static final int AGAIN_SECONDS = 60;

    private static final int NEW_SOURCES = 1 << 13;

    /** Seconds that the entry of a new source is safe from others. */
    private static final int FRESH_SECONDS = 2;

    private static final int WAYS = 4;

    private final long[] known = new long[SOURCES];
    private final long[] fresh = new long[NEW_SOURCES];

    /** Notes a datagram; returns whether its source was known before it. */
    boolean isKnown(long hash, int second) {
        int first = (int) hash & SOURCES - WAYS;
        for (int i = first; i < first + WAYS; i++) {
            if (known[i] >>> Integer.SIZE == mark(hash)) {
                boolean lately = second - (int) known[i] <= KEPT_SECONDS;
                known[i] = lately ? entry(hash, second) : 0;
                return lately;
            }
        }
        return false;
    }

    /** Notes that a new source is admitted. */
    void add(long hash, int second) {
        int at = (int) (hash >>> Short.SIZE) & NEW_SOURCES - 1;
        long seen = fresh[at];
        int age = second - (int) seen;
        boolean same = seen >>> Integer.SIZE == mark(hash);
        if (same && age >= 1 && age <= AGAIN_SECONDS) {
            keep(hash, second);
        } else if (seen == 0 || age > (same ? AGAIN_SECONDS : FRESH_SECONDS)) {
            fresh[at] = entry(hash, second);
        }
    }

    private void keep(long hash, int second) {
        int first = (int) hash & SOURCES - WAYS;
        for (int i = first; i < first + WAYS; i++) {
            if (known[i] == 0 || second - (int) known[i] > KEPT_SECONDS) {
                known[i] = entry(hash, second);
                return;
            }
        }
    }

    private static long mark(long hash) {
        return hash >>> Integer.SIZE | 1;
    }

    private static long entry(long hash, int second) {
        return mark(hash) << Integer.SIZE | second & 0xffffffffL;
    }
}
