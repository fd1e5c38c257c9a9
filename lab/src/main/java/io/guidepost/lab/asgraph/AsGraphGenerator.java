package io.guidepost.lab.asgraph;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Generates graphs like that of the Internet's ASes in 2012, in place of a measured one: few ASes have thousands of
 * links, most have one or two. One seed gives one graph.
 *
 * <p>ASes are numbered from 1 in the order of their weight, {@code (rank + 2)^-0.8}, so that degrees follow a power law
 * with an exponent of about 2.25. Each AS but the first is linked to one before it, by weight; the other links join two
 * by weight. Latencies are lognormal. The prefix tables of {@link io.guidepost.proximity.PrefixTableGenerator} give the
 * same ASes the most address space.
 */
public final class AsGraphGenerator {
    /** ASes of the measured graph. */
    public static final int ASES = 26_424;

    /** Links of the measured graph. */
    public static final int LINKS = 90_267;

    private static final double RANK_OFFSET = 2;
    private static final double RANK_EXPONENT = -0.8;

    /** The measured median; the quartiles fit this distribution. */
    private static final double MEDIAN_MICROS = 15_400;

    private static final double SIGMA = 0.9;

    /** The fastest measured link. */
    private static final int FASTEST_MICROS = 500;

    private static final int SLOWEST_MICROS = 20_000_000;

    /** After this many draws of existing links any two nodes are taken: the heavy ones are all linked. */
    private static final int TRIES_MAX = 50;

    private final SplittableRandom random;
    private final WeightedSampler shares;
    private final Set<Long> known = new HashSet<>();
    private final AsGraph.Builder graph = AsGraph.builder();

    private AsGraphGenerator(long seed, int ases) {
        random = new SplittableRandom(seed);
        double[] weights = new double[ases];
        for (int rank = 0; rank < ases; rank++) {
            weights[rank] = Math.pow(rank + RANK_OFFSET, RANK_EXPONENT);
        }
        shares = WeightedSampler.of(weights);
    }

    /**
     * Generates a connected graph.
     *
     * @param seed the same seed gives the same graph
     * @param ases the number of ASes, at least 2
     * @param links the number of links, at least {@code ases - 1}, and at most half of the possible ones or
     *     {@code ases - 1}
     */
    public static AsGraph generate(long seed, int ases, int links) {
        if (ases < 2 || links < ases - 1 || links > Math.max(ases - 1, (long) ases * (ases - 1) / 4)) {
            throw new IllegalArgumentException("a graph has at least 2 ASes, and links for each but one of them, up to"
                    + " half of all pairs; not " + ases + " and " + links);
        }
        AsGraphGenerator generator = new AsGraphGenerator(seed, ases);
        for (int as = 1; as < ases; as++) {
            generator.link(as, generator.shares.drawBelow(generator.random, as));
        }
        while (generator.graph.size() < links) {
            generator.linkAny(ases);
        }
        return generator.graph.build();
    }

    private void linkAny(int ases) {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            if (link(shares.draw(random), shares.draw(random))) {
                return;
            }
        }
        link(random.nextInt(ases), random.nextInt(ases));
    }

    private boolean link(int one, int other) {
        if (one == other || !known.add((long) Math.min(one, other) << 32 | Math.max(one, other))) {
            return false;
        }
        double micros = MEDIAN_MICROS * Math.exp(SIGMA * random.nextGaussian());
        graph.link(1L + one, 1L + other, (int) Math.clamp(micros, FASTEST_MICROS, SLOWEST_MICROS));
        return true;
    }
}
