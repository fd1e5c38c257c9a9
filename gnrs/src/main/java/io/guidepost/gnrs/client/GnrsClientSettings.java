package io.guidepost.gnrs.client;

/**
 * How a client asks.
 *
 * @param timeoutMillis how long it waits for the first answer, in milliseconds; each further try waits twice as long
 * @param attempts how often it sends a request in all, from 1
 * @param window how many requests of a batch are under way at most, from 1
 */
public record GnrsClientSettings(int timeoutMillis, int attempts, int window) {
    /** Half a second, three tries, 128 under way: more would overrun the receive buffers of old servers. */
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

    /** The longest that a request can take, in milliseconds, with all its tries. */
    public long millisMax() {
        return timeoutMillis * ((1L << attempts) - 1);
    }
}
