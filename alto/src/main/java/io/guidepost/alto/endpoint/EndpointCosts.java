package io.guidepost.alto.endpoint;

/**
 * Costs between addresses. Immutable and thread-safe.
 *
 * <p>Sources and destinations are given by the numbers of {@link #place}, so that each address is looked up once, in
 * however many pairs it is.
 */
public interface EndpointCosts {
    /** The table before anything is loaded. */
    EndpointCosts NONE = new EndpointCosts() {
        @Override
        public int place(long high, long low) {
            return 0;
        }

        @Override
        public double cost(String metric, int from, int to) {
            return Double.NaN;
        }
    };

    /**
     * Returns the number of the place of an address, IPv4 in its mapped form; only this object can interpret it.
     * Allocates nothing.
     */
    int place(long high, long low);

    /** Returns the cost by a metric between two places; NaN if it is unknown. Allocates nothing. */
    double cost(String metric, int from, int to);

    /**
     * Computes the costs from one place to many.
     *
     * @param to places, the first {@code count} of them
     * @param costs receives the costs, at the same indices
     */
    default void costs(String metric, int from, int[] to, int count, double[] costs) {
        for (int i = 0; i < count; i++) {
            costs[i] = cost(metric, from, to[i]);
        }
    }
}
