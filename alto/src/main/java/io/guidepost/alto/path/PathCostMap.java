package io.guidepost.alto.path;

import io.guidepost.alto.AltoCaller;
import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.NetworkMapResource;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoIdentifiers;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.AltoMediaType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** Path vectors between PIDs of the default map (RFC 9275 section 7.2). */
public final class PathCostMap implements AltoResource {
    private final String map;
    private final PathVectorRequest vectors;
    private final List<String> uses;

    /**
     * Creates the resource for a network map.
     *
     * @param entities ids of property maps of persistent elements; empty if there are none
     */
    public PathCostMap(String map, List<String> entities) {
        this.map = map;
        this.uses = java.util.stream.Stream.concat(java.util.stream.Stream.of(map), entities.stream()).toList();
        this.vectors = new PathVectorRequest(id(), AltoMediaType.COST_MAP, "costmap", !entities.isEmpty());
    }

    @Override
    public String id() {
        return AltoIdentifiers.derived(map, "-paths", PathVectorRequest.PART_ROOM);
    }

    @Override
    public String mediaType() {
        return vectors.mediaType();
    }

    @Override
    public Optional<String> accepts() {
        return Optional.of(AltoMediaType.COST_MAP_FILTER);
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
    public ResourceContent content(AltoSnapshot information, byte[] input, AltoCaller caller) throws AltoError {
        AltoInput asked = AltoInput.read(input);
        Set<String> wanted = vectors.read(asked);
        Optional<AltoInput> pids = asked.findObject("pids");
        NetworkMap whole = NetworkMapResource.map(information, map);
        int[] from = NetworkMapResource.numbers(
                whole, pids.isPresent() ? pids.get().findTexts("srcs", AltoLimits.PIDS_MAX) : Set.of());
        int[] to = NetworkMapResource.numbers(
                whole, pids.isPresent() ? pids.get().findTexts("dsts", AltoLimits.PIDS_MAX) : Set.of());
        return vectors.answer(
                wanted, PathVectorRequest.depends(whole.tag()), whole.tag(), "cost-map", from.length, to.length,
                (text, at) -> text.put(whole.pids().get(from[at])),
                (text, at) -> text.put(whole.pids().get(to[at])),
                (row, column) -> information.paths().flatMap(each -> each.pathOfPids(from[row], to[column])));
    }
}
