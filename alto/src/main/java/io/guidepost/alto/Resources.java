package io.guidepost.alto;

import io.guidepost.alto.cost.CostMapResource;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.cost.FilteredCostMap;
import io.guidepost.alto.endpoint.EndpointCostResource;
import io.guidepost.alto.endpoint.EndpointPropertyResource;
import io.guidepost.alto.map.FilteredNetworkMap;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.NetworkMapResource;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The resources that a version of information has something to say for. */
public final class Resources {
    /** Id of costs between addresses. */
    public static final String ENDPOINT_COSTS = "endpoint-costs";

    /** Id of properties of addresses. */
    public static final String ENDPOINT_PROPERTIES = "endpoint-properties";

    private Resources() {}

    /**
     * All of them, in the order of the directory. Later versions with the same maps, metrics and properties have the same.
     *
     * @param clock says in which cycle of a calendar we are
     */
    public static List<Resource> of(Information information, InstantSource clock) {
        List<Resource> resources = new ArrayList<>();
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
        }
        properties.addAll(information.properties().ofAddresses().keySet());
        if (!properties.isEmpty()) {
            resources.add(new EndpointPropertyResource(ENDPOINT_PROPERTIES, properties));
        }
        if (!information.metrics().isEmpty()) {
            resources.add(new EndpointCostResource(ENDPOINT_COSTS, information.metrics(), clock));
        }
        return resources;
    }
}
