package io.guidepost.alto.proxidor;

/**
 * Remembers which sources have asked before, of which there may be any number, in a bounded table. A source is familiar when it
 * has asked in one second and again in a later one, within a minute; and it stays so for ten minutes after its last question.
 * Whoever forges sources at random would have to hit the same one twice in that time. Belongs to one worker; allocates nothing.
 *
 * <p>Both tables are never full of those who came last: a stranger's entry is not overwritten while it is fresh, and a familiar
 * source gives way only when it has been silent for long. So a flood of strangers drives nobody out.
 *
 * <pre>
 * entry: 32 bits of the source's hash, never 0 | 32 bits of a second: of the first question, or once familiar, of the last
 * </pre>
 */
final class Familiar {
    /** Familiar sources of one door: sockets of a worker share its customers. 128 KiB. */
    static final int SOURCES = 1 << 14;

    /** Seconds after its last question until a source is a stranger again. */
    static final int KEPT_SECONDS = 600;

    /** Seconds within which a stranger has to come again. */
    static final int AGAIN_SECONDS = 60;

    private static final int STRANGERS = 1 << 13;

    /** Seconds that the entry of a stranger is safe from others. */
    private static final int FRESH_SECONDS = 2;

    private static final int WAYS = 4;

    private final long[] familiar = new long[SOURCES];
    private final long[] strangers = new long[STRANGERS];

    /** Notes a question; whether its source has been familiar before it. */
    boolean knows(long hash, int second) {
        int first = (int) hash & SOURCES - WAYS;
        for (int i = first; i < first + WAYS; i++) {
            if (familiar[i] >>> Integer.SIZE == mark(hash)) {
                boolean lately = second - (int) familiar[i] <= KEPT_SECONDS;
                familiar[i] = lately ? entry(hash, second) : 0;
                return lately;
            }
        }
        return false;
    }

    /** Notes that a stranger is let in. */
    void meet(long hash, int second) {
        int at = (int) (hash >>> Short.SIZE) & STRANGERS - 1;
        long seen = strangers[at];
        int age = second - (int) seen;
        boolean same = seen >>> Integer.SIZE == mark(hash);
        if (same && age >= 1 && age <= AGAIN_SECONDS) {
            keep(hash, second);
        } else if (seen == 0 || age > (same ? AGAIN_SECONDS : FRESH_SECONDS)) {
            strangers[at] = entry(hash, second);
        }
    }

    private void keep(long hash, int second) {
        int first = (int) hash & SOURCES - WAYS;
        for (int i = first; i < first + WAYS; i++) {
            if (familiar[i] == 0 || second - (int) familiar[i] > KEPT_SECONDS) {
                familiar[i] = entry(hash, second);
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
