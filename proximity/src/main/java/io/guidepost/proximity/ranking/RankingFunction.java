package io.guidepost.proximity.ranking;

/**
 * Computes the cost of a path; a smaller one is nearer. Pure and thread-safe. {@link RankingFunctions} has the built-in
 * ones and formulas; {@link java.util.ServiceLoader} finds others.
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

    /** Returns the cost; NaN means unreachable. */
    double cost(PathMetrics way);

    /** Returns whether the destination's AS number matters; otherwise places that differ in it alone are one. */
    boolean usesAsNumber();

    /**
     * Returns a representative of an AS number: the same for all numbers that the function does not distinguish. Fewer
     * ones mean fewer places.
     */
    default long asNumberSeen(long asNumber) {
        return usesAsNumber() ? asNumber : 0;
    }

    /** Returns its name in the configuration: small letters, digits and dashes. */
    default String name() {
        return "";
    }
}
