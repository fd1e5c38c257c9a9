package io.guidepost.proximity.ranking;

/**
 * Says how far a destination is; a smaller number is nearer. Pure and thread-safe. Those that configuration can name or
 * write are in {@link RankingFunctions}; more of them are found by {@link java.util.ServiceLoader}.
 */
public interface RankingFunction {
    /** The formula of the P2P-Oracle (Poese, 2009): 8 AS distance + hops / 2 + 10 / bandwidth. */
    RankingFunction STANDARD = new RankingFunction() {
        @Override
        public double cost(PathMetrics way) {
            return 8.0 * way.asDistance() + 0.5 * way.hops() + 10 / way.bandwidth();
        }

        @Override
        public boolean usesAsNumber() {
            return false;
        }

        @Override
        public String name() {
            return "oracle";
        }
    };

    /** How far; not a number means that it is not to be reached. */
    double cost(PathMetrics way);

    /** Whether the number of the destination's AS matters; if not, places that differ in it alone are one. */
    boolean usesAsNumber();

    /**
     * The number in place of which that of an AS may be given: the same for all that the function does not tell apart. The
     * fewer there are, the fewer places.
     */
    default long asNumberSeen(long asNumber) {
        return usesAsNumber() ? asNumber : 0;
    }

    /** The name by which configuration chooses it: small letters, digits and dashes. */
    default String name() {
        return "";
    }
}
