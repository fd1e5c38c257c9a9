package io.guidepost.lab.dmap;

import java.util.SplittableRandom;

/**
 * Network noise: delays and failures besides the distance. A graph of latencies has none of it, so a server that knows
 * the graph chooses perfectly; real ones do not.
 *
 * @param jitter standard deviation of the logarithm of an exchange's time, around a median of the round trip itself; 0
 *     for none
 * @param slowExchanges share of exchanges that are slow by the factor, independently: a queue, a retransmission, a
 *     garbage collection; unpredictable
 * @param slowServers share of servers that are always slow by the factor; their clients know
 * @param slowFactor the factor
 * @param down share of servers that are down
 * @param timeoutMillis the timeout of one request before another server is asked
 */
public record NetworkNoise(
        double jitter, double slowExchanges, double slowServers, double slowFactor, double down, int timeoutMillis) {
    /** No noise. */
    public static final NetworkNoise CALM = new NetworkNoise(0, 0, 0, 1, 0, 500);

    /** Ordinary noise: a jitter of 0.3; of 100 exchanges one is slow by 10, of 100 servers one too, and one is down. */
    public static final NetworkNoise ORDINARY = new NetworkNoise(0.3, 0.01, 0.01, 10, 0.01, 500);

    /** Checks the ranges. */
    public NetworkNoise {
        if (!(jitter >= 0 && jitter <= 3 && share(slowExchanges) && share(slowServers) && share(down))
                || !(slowFactor >= 1 && slowFactor <= 1000)
                || timeoutMillis < 1
                || timeoutMillis > 60_000) {
            throw new IllegalArgumentException("jitter is from 0 to 3, shares from 0 to 1, the factor from 1 to 1000,"
                    + " the timeout from 1 to 60000 ms");
        }
    }

    private static boolean share(double value) {
        return value >= 0 && value <= 1;
    }

    /** Returns an exchange's time as a multiple of its round trip, with a server that is not always slow. */
    double exchangeFactor(SplittableRandom random) {
        double factor = jitter == 0 ? 1 : Math.exp(jitter * random.nextGaussian());
        return random.nextDouble() < slowExchanges ? factor * slowFactor : factor;
    }
}
