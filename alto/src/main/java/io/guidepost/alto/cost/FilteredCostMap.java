package io.guidepost.alto.cost;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.NetworkMapResource;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoIdentifiers;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.AltoJsonWriter;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.base.Address;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** A filtered cost map (RFC 7285 section 11.3.2), with multi-cost (RFC 8189) and cost calendars (RFC 8896). */
public final class FilteredCostMap extends AltoResource {
    private static final int BYTES_EXPECTED = 4096;

    private final String map;
    private final List<CostMetric> metrics;
    private final InstantSource clock;

    /**
     * Creates the resource for a network map.
     *
     * @param metrics that are published
     * @param clock determines the current cycle of a cost calendar
     */
    public FilteredCostMap(String map, List<CostMetric> metrics, InstantSource clock) {
        super(new DirectoryEntry(
                AltoIdentifiers.derived(map, "-costs", 0),
                AltoMediaType.COST_MAP,
                Optional.of(AltoMediaType.COST_MAP_FILTER),
                List.of(map),
                CostCapabilities.of(metrics)));
        this.map = map;
        this.metrics = List.copyOf(metrics);
        this.clock = clock;
    }

    @Override
    public ResourceContent content(AltoSnapshot information, byte[] input, Address caller) throws AltoError {
        AltoInput asked = AltoInput.read(input);
        CostQuery query = CostQuery.read(asked, metrics);
        NetworkMap whole = NetworkMapResource.map(information, map);
        CostGrid grid = PidCostGrid.of(
                information, whole, metrics,
                NetworkMapResource.numbers(whole, asked, "srcs"), NetworkMapResource.numbers(whole, asked, "dsts"));
        CostWriter costs = new CostWriter(query, metrics, grid, AltoLimits.PAIRS_MAX, "pids");
        AltoJsonWriter text = new AltoJsonWriter(BYTES_EXPECTED);
        NetworkMapResource.tag(text.put("{\"meta\":{\"dependent-vtags\":["), whole.tag()).put("],");
        costs.writeMeta(text, clock.instant()).put("},\"cost-map\":");
        return ResourceContent.answer(AltoMediaType.COST_MAP, costs.writeMap(text).put('}').bytes());
    }
}
