package io.guidepost.alto.cost;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.NetworkMapResource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes grids of PIDs of a network map, given by their indices. */
final class PidCostGrid {
    private PidCostGrid() {}

    static CostGrid of(AltoSnapshot information, NetworkMap map, List<CostMetric> metrics, int[] from, int[] to) {
        Map<String, CostTable> tables = new HashMap<>();
        for (CostMetric each : metrics) {
            information.costs(map.id(), each.name()).ifPresent(table -> tables.put(each.name(), table));
        }
        return new CostGrid(
                NetworkMapResource.names(map, from), NetworkMapResource.names(map, to), (metric, row, column) -> {
                    CostTable table = tables.get(metric);
                    return table == null ? Double.NaN : table.cost(from[row], to[column]);
                });
    }
}
