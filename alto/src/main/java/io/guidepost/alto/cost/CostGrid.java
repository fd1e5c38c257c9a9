package io.guidepost.alto.cost;

import java.util.List;

/**
 * The sources and destinations of a response, and the costs between them.
 *
 * @param rows names of the sources, which need no escapes
 * @param columns names of the destinations, likewise
 * @param costs between them
 */
public record CostGrid(List<String> rows, List<String> columns, Costs costs) {
    /** The costs of a grid. */
    @FunctionalInterface
    public interface Costs {
        /** Returns a cost by a metric; NaN if it is unknown. */
        double of(String metric, int row, int column);
    }
}
