package io.guidepost.alto.cost;

import io.guidepost.alto.protocol.AltoJsonWriter;

/** The sources and destinations of a response, and the costs between them. */
public interface CostGrid {
    /** Returns the number of sources. */
    int rows();

    /** Returns the number of destinations. */
    int columns();

    /** Returns a cost by a metric; NaN if it is unknown. */
    double cost(String metric, int row, int column);

    /** Writes the name of a source, without quotes. */
    void row(AltoJsonWriter text, int row);

    /** Writes the name of a destination, without quotes. */
    void column(AltoJsonWriter text, int column);
}
