package io.guidepost.alto.service;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.cost.CostMapResource;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.cost.FilteredCostMap;
import io.guidepost.alto.endpoint.EndpointCostResource;
import io.guidepost.alto.endpoint.EndpointPropertyResource;
import io.guidepost.alto.map.FilteredNetworkMap;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.NetworkMapResource;
import io.guidepost.alto.path.PathCostMap;
import io.guidepost.alto.path.PathEndpointCosts;
import io.guidepost.alto.property.PropertyMaps;
import io.guidepost.alto.protocol.CostType;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Lists the resources that a snapshot has content for. */
public final class ResourceCatalog {
    /** Id of the endpoint cost service. */
    public static final String ENDPOINT_COSTS = "endpoint-costs";

    /** Id of the endpoint path vectors. */
    public static final String ENDPOINT_PATHS = "endpoint-paths";

    /** Id of the endpoint property service. */
    public static final String ENDPOINT_PROPERTIES = "endpoint-properties";

    private ResourceCatalog() {}

    /**
     * Returns the resources in the order of the directory. Snapshots with equal maps, metrics and properties have equal
     * resources.
     *
     * @param clock determines the current cycle of a cost calendar
     */
    public static List<AltoResource> of(AltoSnapshot information, InstantSource clock) {
        List<AltoResource> resources = new ArrayList<>();
        List<String> properties = new ArrayList<>();
        for (NetworkMap each : information.maps()) {
            String id = each.id();
            resources.add(new NetworkMapResource(id));
            resources.add(new FilteredNetworkMap(id));
            properties.add(id + EndpointPropertyResource.PID);
            List<CostMetric> metrics = information.metrics().stream()
                    .filter(metric -> information.costs(id, metric.name()).isPresent())
                    .toList();
            for (CostMetric metric : metrics) {
                resources.add(new CostMapResource(id, CostType.numerical(metric.name())));
                resources.add(new CostMapResource(id, CostType.ordinal(metric.name())));
            }
            if (!metrics.isEmpty()) {
                resources.add(new FilteredCostMap(id, metrics, clock));
            }
            resources.add(new PropertyMaps(id, information, false));
            resources.add(new PropertyMaps(id, information, true));
        }
        properties.addAll(information.properties().ofAddresses().keySet());
        if (!properties.isEmpty()) {
            resources.add(new EndpointPropertyResource(ENDPOINT_PROPERTIES, properties));
        }
        if (!information.metrics().isEmpty()) {
            resources.add(new EndpointCostResource(ENDPOINT_COSTS, information.metrics(), clock));
        }
        if (information.paths().isPresent()) {
            String map = information.maps().getFirst().id();
            List<String> entities = information.paths().get().tellsPersistent() ? List.of(PropertyMaps.entities(map)) : List.of();
            resources.add(new PathCostMap(map, entities));
            resources.add(new PathEndpointCosts(ENDPOINT_PATHS, entities));
        }
        return resources;
    }
}
