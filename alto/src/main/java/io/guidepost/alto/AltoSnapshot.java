package io.guidepost.alto;

import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.cost.CostTable;
import io.guidepost.alto.endpoint.EndpointCosts;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.path.AltoPaths;
import io.guidepost.alto.property.EntityProperties;
import io.guidepost.proximity.ranking.Ranking;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One immutable version of everything that ALTO publishes, replaced as a whole.
 *
 * @param version grows with each replacement
 * @param maps network maps; the first is the default one
 * @param costs between the PIDs of a map, by the map's id and the metric's name
 * @param metrics in the order of the directory
 * @param endpoints costs between addresses
 * @param properties of addresses and PIDs
 * @param paths network elements between addresses, if they are published
 * @param ranking the snapshot it was made of, if it was made of a topology
 */
public record AltoSnapshot(
        long version,
        List<NetworkMap> maps,
        Map<String, Map<String, CostTable>> costs,
        List<CostMetric> metrics,
        EndpointCosts endpoints,
        EntityProperties properties,
        Optional<AltoPaths> paths,
        Optional<Ranking> ranking) {
    /** The version before anything is loaded. */
    public static final AltoSnapshot EMPTY = new AltoSnapshot(
            0, List.of(), Map.of(), List.of(), EndpointCosts.NONE, EntityProperties.NONE, Optional.empty(), Optional.empty());

    /** Copies the collections. */
    public AltoSnapshot {
        maps = List.copyOf(maps);
        costs = Map.copyOf(costs);
        metrics = List.copyOf(metrics);
    }

    /** Returns a network map by its id. */
    public Optional<NetworkMap> map(String id) {
        return maps.stream().filter(each -> each.id().equals(id)).findFirst();
    }

    /** Returns the costs between the PIDs of a map by a metric. */
    public Optional<CostTable> costs(String map, String metric) {
        return Optional.ofNullable(costs.getOrDefault(map, Map.of()).get(metric));
    }

    /** Returns the same content with another version number. */
    public AltoSnapshot version(long next) {
        return new AltoSnapshot(next, maps, costs, metrics, endpoints, properties, paths, ranking);
    }
}
