package io.guidepost.alto.path;

import io.guidepost.alto.AltoError;
import io.guidepost.alto.Caller;
import io.guidepost.alto.Content;
import io.guidepost.alto.Information;
import io.guidepost.alto.Input;
import io.guidepost.alto.Limits;
import io.guidepost.alto.MediaType;
import io.guidepost.alto.Names;
import io.guidepost.alto.Resource;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.NetworkMapResource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** What is passed on the ways between PIDs of the default map (RFC 9275 section 7.2). */
public final class PathCostMap implements Resource {
    private final String map;
    private final PathVectors vectors;
    private final List<String> uses;

    /**
     * Of the map of that id.
     *
     * @param entities ids of resources that tell more of elements with names that stay; none if they have none
     */
    public PathCostMap(String map, List<String> entities) {
        this.map = map;
        this.uses = java.util.stream.Stream.concat(java.util.stream.Stream.of(map), entities.stream()).toList();
        this.vectors = new PathVectors(id(), MediaType.COST_MAP, "costmap", !entities.isEmpty());
    }

    @Override
    public String id() {
        return Names.derived(map, "-paths", PathVectors.PART_ROOM);
    }

    @Override
    public String mediaType() {
        return vectors.mediaType();
    }

    @Override
    public Optional<String> accepts() {
        return Optional.of(MediaType.COST_MAP_FILTER);
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
        Optional<Input> pids = asked.findObject("pids");
        NetworkMap whole = NetworkMapResource.map(information, map);
        int[] from = NetworkMapResource.numbers(
                whole, pids.isPresent() ? pids.get().findTexts("srcs", Limits.PIDS_MAX) : Set.of());
        int[] to = NetworkMapResource.numbers(
                whole, pids.isPresent() ? pids.get().findTexts("dsts", Limits.PIDS_MAX) : Set.of());
        return vectors.answer(
                wanted, PathVectors.depends(whole.tag()), whole.tag(), "cost-map", from.length, to.length,
                (text, at) -> text.put(whole.pids().get(from[at])),
                (text, at) -> text.put(whole.pids().get(to[at])),
                (row, column) -> information.paths().flatMap(each -> each.pathOfPids(from[row], to[column])));
    }
}
