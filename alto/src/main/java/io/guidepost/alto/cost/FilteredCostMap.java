package io.guidepost.alto.cost;

import io.guidepost.alto.AltoCaller;
import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.NetworkMapResource;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoIdentifiers;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.AltoJsonWriter;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.AltoMediaType;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** A filtered cost map (RFC 7285 section 11.3.2), with multi-cost (RFC 8189) and cost calendars (RFC 8896). */
public final class FilteredCostMap implements AltoResource {
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
        this.map = map;
        this.metrics = List.copyOf(metrics);
        this.clock = clock;
    }

    @Override
    public String id() {
        return AltoIdentifiers.derived(map, "-costs", 0);
    }

    @Override
    public String mediaType() {
        return AltoMediaType.COST_MAP;
    }

    @Override
    public Optional<String> accepts() {
        return Optional.of(AltoMediaType.COST_MAP_FILTER);
    }

    @Override
    public List<String> uses() {
        return List.of(map);
    }

    @Override
    public Optional<Consumer<JsonGenerator>> capabilities() {
        return Optional.of(out -> CostCapabilities.write(out, metrics));
    }

    @Override
    public ResourceContent content(AltoSnapshot information, byte[] input, AltoCaller caller) throws AltoError {
        AltoInput asked = AltoInput.read(input);
        CostQuery query = CostQuery.read(asked, metrics);
        Optional<AltoInput> pids = asked.findObject("pids");
        Set<String> from = pids.isPresent() ? pids.get().findTexts("srcs", AltoLimits.PIDS_MAX) : Set.of();
        Set<String> to = pids.isPresent() ? pids.get().findTexts("dsts", AltoLimits.PIDS_MAX) : Set.of();
        NetworkMap whole = NetworkMapResource.map(information, map);
        CostGrid grid = new PidCostGrid(
                information, whole, metrics,
                NetworkMapResource.numbers(whole, from), NetworkMapResource.numbers(whole, to));
        CostWriter costs = new CostWriter(query, metrics, grid, AltoLimits.PAIRS_MAX, "pids");
        AltoJsonWriter text = new AltoJsonWriter(BYTES_EXPECTED);
        NetworkMapResource.tag(text.put("{\"meta\":{\"dependent-vtags\":["), whole.tag()).put("],");
        costs.writeMeta(text, clock.instant()).put("},\"cost-map\":");
        return ResourceContent.answer(AltoMediaType.COST_MAP, costs.writeMap(text).put('}').bytes());
    }
}
