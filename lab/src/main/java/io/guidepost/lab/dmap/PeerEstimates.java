package io.guidepost.lab.dmap;

import java.util.SplittableRandom;

/**
 * The state of the servers under some network noise, and the estimates that clients have of them from past requests.
 * Immutable.
 *
 * <p>A client keeps of each server what {@link io.guidepost.gnrs.peer.Peer} keeps: the smoothed round-trip time of RFC
 * 6298, and the 95th percentile. Both scale with the round trip, so they are drawn once for many pairs and assigned to
 * each pair by its hash, as learnt in {@value #PAST} exchanges.
 */
final class PeerEstimates {
    private static final int PAST = 256;

    /** Different pasts: a power of two. */
    private static final int PASTS = 1 << 14;

    private final long seed;
    private final boolean[] slow;
    private final boolean[] down;
    private final double slowFactor;
    private final float[] smoothed = new float[PASTS];
    private final float[] high = new float[PASTS];

    PeerEstimates(long seed, int nodes, NetworkNoise weather) {
        SplittableRandom random = new SplittableRandom(seed);
        this.seed = random.nextLong();
        this.slowFactor = weather.slowFactor();
        this.slow = new boolean[nodes];
        this.down = new boolean[nodes];
        for (int i = 0; i < nodes; i++) {
            slow[i] = random.nextDouble() < weather.slowServers();
            down[i] = random.nextDouble() < weather.down();
        }
        for (int i = 0; i < PASTS; i++) {
            learn(i, weather, random);
        }
    }

    private void learn(int past, NetworkNoise weather, SplittableRandom random) {
        double mean = weather.exchangeFactor(random);
        double quantile = 2 * mean;
        for (int i = 1; i < PAST; i++) {
            double factor = weather.exchangeFactor(random);
            mean += (factor - mean) / 8;
            quantile += factor > quantile ? 19 * quantile / 100 : -quantile / 100;
        }
        smoothed[past] = (float) mean;
        high[past] = (float) quantile;
    }

    /** Returns whether a server is down; a measuring client knows after few requests. */
    boolean isDown(int node) {
        return down[node];
    }

    /** Returns the constant factor by which a server is slow. */
    double factor(int node) {
        return slow[node] ? slowFactor : 1;
    }

    /** Returns a client's estimate of the round-trip time to a server, as a multiple of the true one. */
    double smoothed(int asker, int node) {
        return factor(node) * smoothed[past(asker, node)];
    }

    /** Returns a client's estimate of the 95th percentile, as a multiple of the true round trip. */
    double high(int asker, int node) {
        return factor(node) * high[past(asker, node)];
    }

    private int past(int asker, int node) {
        return (int) (mixed(seed, (long) asker << 32 | node) >>> 32) & PASTS - 1;
    }

    /** Returns a seed for a number: the finisher of SplitMix64. */
    static long mixed(long seed, long number) {
        long z = seed + number * 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
