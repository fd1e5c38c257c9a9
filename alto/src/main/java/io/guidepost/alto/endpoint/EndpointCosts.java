package io.guidepost.alto.endpoint;

/**
 * How far addresses are from each other. Immutable and thread-safe.
 *
 * <p>Sources and destinations are given as numbers that {@link #place} made of addresses, so that each address is looked
 * for once, however many pairs it is in.
 */
public interface EndpointCosts {
    /** Nothing is known of any address. */
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

    /** Where an address is, IPv4 in its mapped form; what the number means is known here alone. Allocates nothing. */
    int place(long high, long low);

    /** What it costs by a metric from one place to another; not a number if it is not known. Allocates nothing. */
    double cost(String metric, int from, int to);

    /**
     * What it costs from one place to many.
     *
     * @param to places, the first {@code count} of which count
     * @param costs told there, at the same places
     */
    default void costs(String metric, int from, int[] to, int count, double[] costs) {
        for (int i = 0; i < count; i++) {
            costs[i] = cost(metric, from, to[i]);
        }
    }
}
