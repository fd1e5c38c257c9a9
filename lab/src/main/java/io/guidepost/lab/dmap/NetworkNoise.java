package io.guidepost.lab.dmap;

import java.util.SplittableRandom;

/**
 * What goes wrong on the way, beside the distance. A graph of latencies has none of this, so that any server that knows
 * the graph chooses without fault; real ones do not.
 *
 * @param jitter standard deviation of the logarithm of an exchange's time, around a median of the round trip itself; 0
 *     for none
 * @param slowExchanges share of exchanges that take longer by the factor, each for itself: a queue, a lost packet sent
 *     again, a collector of garbage; nobody can foresee them
 * @param slowServers share of servers that take longer by the factor always: whoever asked them knows
 * @param slowFactor how much longer
 * @param down share of servers that do not answer
 * @param timeoutMillis how long an asker waits for one answer at most before it asks another server
 */
public record NetworkNoise(
        double jitter, double slowExchanges, double slowServers, double slowFactor, double down, int timeoutMillis) {
    /** All is well. */
    public static final NetworkNoise CALM = new NetworkNoise(0, 0, 0, 1, 0, 500);

    /** An ordinary day: a jitter of 0.3; of 100 exchanges one is slow by 10, of 100 servers one too, and one is down. */
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

    /** How much longer than its round trip an exchange takes, with a server that is not slow always. */
    double exchangeFactor(SplittableRandom random) {
        double factor = jitter == 0 ? 1 : Math.exp(jitter * random.nextGaussian());
        return random.nextDouble() < slowExchanges ? factor * slowFactor : factor;
    }
}
