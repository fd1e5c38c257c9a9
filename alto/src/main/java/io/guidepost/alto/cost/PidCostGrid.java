package io.guidepost.alto.cost;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.protocol.AltoJsonWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A grid of PIDs of a network map, given by their indices. */
final class PidCostGrid implements CostGrid {
    private final NetworkMap map;
    private final int[] from;
    private final int[] to;
    private final Map<String, CostTable> tables = new HashMap<>();

    PidCostGrid(AltoSnapshot information, NetworkMap map, List<CostMetric> metrics, int[] from, int[] to) {
        this.map = map;
        this.from = from;
        this.to = to;
        for (CostMetric each : metrics) {
            tables.put(each.name(), information.costs(map.id(), each.name()).orElse((_, _) -> Double.NaN));
        }
    }

    @Override
    public int rows() {
        return from.length;
    }

    @Override
    public int columns() {
        return to.length;
    }

    @Override
    public double cost(String metric, int row, int column) {
        CostTable table = tables.get(metric);
        return table == null ? Double.NaN : table.cost(from[row], to[column]);
    }

    // Names of PIDs need no escapes.

    @Override
    public void row(AltoJsonWriter text, int row) {
        text.put(map.pids().get(from[row]));
    }

    @Override
    public void column(AltoJsonWriter text, int column) {
        text.put(map.pids().get(to[column]));
    }
}
