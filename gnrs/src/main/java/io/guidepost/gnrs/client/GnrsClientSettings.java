package io.guidepost.gnrs.client;

/**
 * Timeouts and window of a client.
 *
 * @param timeoutMillis the time to wait for the first response, in milliseconds; it doubles with each retransmission
 * @param attempts transmissions of a request in all, at least 1
 * @param window the most requests of a batch in flight, at least 1
 */
public record GnrsClientSettings(int timeoutMillis, int attempts, int window) {
    /** Half a second, three transmissions, 128 in flight: more would overrun the receive buffers of old servers. */
    public static final GnrsClientSettings DEFAULT = new GnrsClientSettings(500, 3, 128);

    private static final int ATTEMPTS_MAX = 16;
    private static final int TIMEOUT_MILLIS_MAX = 60_000;
    private static final int WINDOW_MAX = 1 << 16;

    /** Checks the ranges. */
    public GnrsClientSettings {
        inRange("timeout in milliseconds", timeoutMillis, TIMEOUT_MILLIS_MAX);
        inRange("attempts", attempts, ATTEMPTS_MAX);
        inRange("window", window, WINDOW_MAX);
    }

    private static void inRange(String what, int number, int max) {
        if (number < 1 || number > max) {
            throw new IllegalArgumentException(what + ": from 1 to " + max + ", not " + number);
        }
    }

    /** Returns the longest time that a request can take with all its transmissions, in milliseconds. */
    public long millisMax() {
        return timeoutMillis * ((1L << attempts) - 1);
    }
}
