package io.guidepost.alto.path;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.NetworkMapResource;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoIdentifiers;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.base.Address;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Path vectors between PIDs of the default map (RFC 9275 section 7.2). */
public final class PathCostMap extends PathVectorResource {
    private final String map;

    /**
     * Creates the resource for a network map.
     *
     * @param entities ids of property maps of persistent elements; empty if there are none
     */
    public PathCostMap(String map, List<String> entities) {
        super(
                AltoIdentifiers.derived(map, "-paths", PART_ROOM), AltoMediaType.COST_MAP_FILTER, AltoMediaType.COST_MAP, "costmap",
                Stream.concat(Stream.of(map), entities.stream()).toList(), !entities.isEmpty());
        this.map = map;
    }

    @Override
    public ResourceContent content(AltoSnapshot information, byte[] input, Address caller) throws AltoError {
        AltoInput asked = AltoInput.read(input);
        Set<String> wanted = read(asked);
        NetworkMap whole = NetworkMapResource.map(information, map);
        int[] from = NetworkMapResource.numbers(whole, asked, "srcs");
        int[] to = NetworkMapResource.numbers(whole, asked, "dsts");
        return answer(
                wanted, depends(whole.tag()), whole.tag(), "cost-map",
                NetworkMapResource.names(whole, from), NetworkMapResource.names(whole, to),
                (row, column) -> information.paths().flatMap(each -> each.pathOfPids(from[row], to[column])));
    }
}
