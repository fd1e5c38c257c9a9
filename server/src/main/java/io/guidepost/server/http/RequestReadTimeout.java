package io.guidepost.server.http;

/**
 * How long the rest of a message may be out, by pressure and by progress: the more connections there are, the less time a
 * sender has, and what it has sent earns it more. So thousands of half requests (Slowloris) do not fill the table of
 * connections, and a client behind a bad link is waited for as long as there is room. Pure.
 *
 * <pre>
 *  time at first   calm ----.
 *                            `.
 *                              `---- 500 ms
 *                  0    1/4   3/4    1     of http.connections-max
 * </pre>
 */
final class RequestReadTimeout {
    private RequestReadTimeout() {}

    /**
     * Returns the milliseconds that a sender has before it has sent anything.
     *
     * @param open connections that there are
     * @param most connections that there may be, at least 1
     * @param calmMillis what it has while there are few
     */
    static long graceMillis(long open, long most, long calmMillis) {
        long pressed = Math.min(calmMillis, HttpLimits.PRESSED_MILLIS);
        double pressure = Math.clamp(2.0 * open / most - 0.5, 0, 1);
        return calmMillis - (long) ((calmMillis - pressed) * pressure);
    }

    /**
     * Returns the milliseconds that are left to a sender; it is late if that is not above 0.
     *
     * @param graceMillis see {@link #graceMillis}
     * @param bytes of the message that came
     * @param sinceBegunMillis since the first of them
     * @param sinceByteMillis since the last
     */
    static long leftMillis(long graceMillis, long bytes, long sinceBegunMillis, long sinceByteMillis) {
        // The slowest rate under pressure is 16 bytes in a millisecond; while there is room a slower one does in proportion.
        long earned = bytes * Math.max(graceMillis, HttpLimits.PRESSED_MILLIS)
                / (HttpLimits.PRESSED_MILLIS * HttpLimits.SLOWEST_BYTES_PER_MILLI);
        long silence = Math.max(graceMillis, HttpLimits.SILENT_MILLIS_MAX);
        return Math.min(graceMillis + earned - sinceBegunMillis, silence - sinceByteMillis);
    }
}
