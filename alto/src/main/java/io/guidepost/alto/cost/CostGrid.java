package io.guidepost.alto.cost;

import io.guidepost.alto.protocol.AltoJsonWriter;

/** Sources and destinations of an answer, and what it costs from each to each. */
public interface CostGrid {
    /** How many sources there are. */
    int rows();

    /** How many destinations there are. */
    int columns();

    /** What it costs by a metric; not a number if that is not known. */
    double cost(String metric, int row, int column);

    /** Writes the name of a source, without quotes. */
    void row(AltoJsonWriter text, int row);

    /** Writes the name of a destination, without quotes. */
    void column(AltoJsonWriter text, int column);
}
