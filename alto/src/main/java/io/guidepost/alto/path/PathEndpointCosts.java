package io.guidepost.alto.path;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.endpoint.EndpointCostResource.Pairs;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.base.Address;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Path vectors between addresses (RFC 9275 section 7.3). One existing client sends several lists of pairs,
 * {@code endpoint-flows}, where the standard has one, {@code endpoints}; both are accepted.
 */
public final class PathEndpointCosts extends PathVectorResource {
    private static final String FLOWS = "endpoint-flows";

    /**
     * Creates the resource.
     *
     * @param entities ids of property maps of persistent elements; empty if there are none
     */
    public PathEndpointCosts(String id, List<String> entities) {
        super(id, AltoMediaType.ENDPOINT_COST_PARAMS, AltoMediaType.ENDPOINT_COST, "ecs", entities, !entities.isEmpty());
    }

    @Override
    public ResourceContent content(AltoSnapshot information, byte[] input, Address caller) throws AltoError {
        AltoInput asked = AltoInput.read(input);
        Set<String> wanted = read(asked);
        Map<String, Address> from = new LinkedHashMap<>();
        Map<String, Address> to = new LinkedHashMap<>();
        Map<String, Set<String>> together = new LinkedHashMap<>();
        List<AltoInput> lists = asked.has(FLOWS) && !asked.has("endpoints")
                ? asked.objects(FLOWS, AltoLimits.ENDPOINTS_MAX)
                : List.of(asked.object("endpoints"));
        for (AltoInput each : lists) {
            Pairs pairs = Pairs.read(each, caller);
            for (Map.Entry<String, Address> source : pairs.from()) {
                from.put(source.getKey(), source.getValue());
                Set<String> with = together.computeIfAbsent(source.getKey(), _ -> new java.util.HashSet<>());
                pairs.to().forEach(destination -> with.add(destination.getKey()));
                if ((long) together.size() * with.size() > AltoLimits.PATHS_MAX) {
                    throw asked.refused(lists.size() > 1 ? FLOWS : "endpoints", with.size() + " destinations",
                            "an answer has at most " + AltoLimits.PATHS_MAX + " ways");
                }
            }
            pairs.to().forEach(destination -> to.put(destination.getKey(), destination.getValue()));
        }
        List<Map.Entry<String, Address>> sources = List.copyOf(from.entrySet());
        List<Map.Entry<String, Address>> destinations = List.copyOf(to.entrySet());
        return answer(
                wanted, "", information.maps().getFirst().tag(), "endpoint-cost-map", List.copyOf(from.keySet()), List.copyOf(to.keySet()),
                (row, column) -> together.getOrDefault(sources.get(row).getKey(), Set.of())
                                .contains(destinations.get(column).getKey())
                        ? way(information, sources.get(row).getValue(), destinations.get(column).getValue())
                        : Optional.empty());
    }

    private static Optional<List<AltoPaths.Element>> way(AltoSnapshot information, Address from, Address to) {
        int source = information.endpoints().place(from.high(), from.low());
        int destination = information.endpoints().place(to.high(), to.low());
        return information.paths().flatMap(each -> each.path(source, destination));
    }
}
