package io.guidepost.proximity.ranking;

/** Says how far a destination is; a smaller number is nearer. Pure and thread-safe. */
public interface RankingFunction {
    /** The formula of the P2P-Oracle (Poese, 2009): 8 AS distance + hops / 2 + 10 / bandwidth. */
    RankingFunction STANDARD = new RankingFunction() {
        @Override
        public double cost(Metrics way) {
            return 8.0 * way.asDistance() + 0.5 * way.hops() + 10 / way.bandwidth();
        }

        @Override
        public boolean usesAsNumber() {
            return false;
        }
    };

    /** How far; not a number means that it is not to be reached. */
    double cost(Metrics way);

    /** Whether the number of the destination's AS matters; if not, places that differ in it alone are one. */
    boolean usesAsNumber();
}
