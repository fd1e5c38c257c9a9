package io.guidepost.alto.path;

import io.guidepost.alto.AltoError;
import io.guidepost.alto.Caller;
import io.guidepost.alto.Content;
import io.guidepost.alto.Information;
import io.guidepost.alto.Input;
import io.guidepost.alto.Limits;
import io.guidepost.alto.MediaType;
import io.guidepost.alto.Resource;
import io.guidepost.alto.endpoint.EndpointCostResource.Pairs;
import io.guidepost.proximity.Address;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/**
 * What is passed on the ways between addresses (RFC 9275 section 7.3). One existing client asks with several lists of
 * pairs, {@code endpoint-flows}, where the standard has one, {@code endpoints}: both are understood.
 */
public final class PathEndpointCosts implements Resource {
    private static final String FLOWS = "endpoint-flows";

    private final String id;
    private final PathVectors vectors;
    private final List<String> uses;

    /**
     * A resource of that id.
     *
     * @param entities ids of resources that tell more of elements with names that stay; none if they have none
     */
    public PathEndpointCosts(String id, List<String> entities) {
        this.id = id;
        this.uses = List.copyOf(entities);
        this.vectors = new PathVectors(id, MediaType.ENDPOINT_COST, "ecs", !entities.isEmpty());
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String mediaType() {
        return vectors.mediaType();
    }

    @Override
    public Optional<String> accepts() {
        return Optional.of(MediaType.ENDPOINT_COST_PARAMS);
    }

    @Override
    public List<String> uses() {
        return uses;
    }

    @Override
    public Optional<Consumer<JsonGenerator>> capabilities() {
        return Optional.of(vectors.capabilities());
    }

    @Override
    public Content content(Information information, byte[] input, Caller caller) throws AltoError {
        Input asked = Input.read(input);
        Set<String> wanted = vectors.read(asked);
        Map<String, Address> from = new LinkedHashMap<>();
        Map<String, Address> to = new LinkedHashMap<>();
        Map<String, Set<String>> together = new LinkedHashMap<>();
        List<Input> lists = asked.has(FLOWS) && !asked.has("endpoints")
                ? asked.objects(FLOWS, Limits.ENDPOINTS_MAX)
                : List.of(asked.object("endpoints"));
        for (Input each : lists) {
            Pairs pairs = Pairs.read(each, caller);
            for (Map.Entry<String, Address> source : pairs.from()) {
                from.put(source.getKey(), source.getValue());
                Set<String> with = together.computeIfAbsent(source.getKey(), _ -> new java.util.HashSet<>());
                pairs.to().forEach(destination -> with.add(destination.getKey()));
                if ((long) together.size() * with.size() > Limits.PATHS_MAX) {
                    throw asked.refused(lists.size() > 1 ? FLOWS : "endpoints", with.size() + " destinations",
                            "an answer has at most " + Limits.PATHS_MAX + " ways");
                }
            }
            pairs.to().forEach(destination -> to.put(destination.getKey(), destination.getValue()));
        }
        List<Map.Entry<String, Address>> sources = List.copyOf(from.entrySet());
        List<Map.Entry<String, Address>> destinations = List.copyOf(to.entrySet());
        return vectors.answer(
                wanted, "", information.maps().getFirst().tag(), "endpoint-cost-map", sources.size(), destinations.size(),
                (text, at) -> text.put(sources.get(at).getKey()),
                (text, at) -> text.put(destinations.get(at).getKey()),
                (row, column) -> together.getOrDefault(sources.get(row).getKey(), Set.of())
                                .contains(destinations.get(column).getKey())
                        ? way(information, sources.get(row).getValue(), destinations.get(column).getValue())
                        : Optional.empty());
    }

    private static Optional<List<Paths.Element>> way(Information information, Address from, Address to) {
        int source = information.endpoints().place(from.high(), from.low());
        int destination = information.endpoints().place(to.high(), to.low());
        return information.paths().flatMap(each -> each.path(source, destination));
    }
}
