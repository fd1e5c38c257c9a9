package io.guidepost.alto.cost;

import io.guidepost.alto.AltoError;
import io.guidepost.alto.AltoText;
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
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/**
 * Those costs between the PIDs of a network map that are asked for (RFC 7285 section 11.3.2), several at once (RFC 8189),
 * and as they change over time (RFC 8896).
 */
public final class FilteredCostMap implements Resource {
    private static final int BYTES_EXPECTED = 4096;

    private final String map;
    private final List<CostMetric> metrics;
    private final InstantSource clock;

    /**
     * Of the map of that id.
     *
     * @param metrics that there are
     * @param clock says in which cycle of a calendar we are
     */
    public FilteredCostMap(String map, List<CostMetric> metrics, InstantSource clock) {
        this.map = map;
        this.metrics = List.copyOf(metrics);
        this.clock = clock;
    }

    @Override
    public String id() {
        return Names.derived(map, "-costs", 0);
    }

    @Override
    public String mediaType() {
        return MediaType.COST_MAP;
    }

    @Override
    public Optional<String> accepts() {
        return Optional.of(MediaType.COST_MAP_FILTER);
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
    public Content content(Information information, byte[] input, Caller caller) throws AltoError {
        Input asked = Input.read(input);
        CostQuery query = CostQuery.read(asked, metrics);
        Optional<Input> pids = asked.findObject("pids");
        Set<String> from = pids.isPresent() ? pids.get().findTexts("srcs", Limits.PIDS_MAX) : Set.of();
        Set<String> to = pids.isPresent() ? pids.get().findTexts("dsts", Limits.PIDS_MAX) : Set.of();
        NetworkMap whole = NetworkMapResource.map(information, map);
        CostGrid grid = new MapGrid(
                information, whole, metrics,
                NetworkMapResource.numbers(whole, from), NetworkMapResource.numbers(whole, to));
        Costs costs = new Costs(query, metrics, grid, Limits.PAIRS_MAX, "pids");
        AltoText text = new AltoText(BYTES_EXPECTED);
        NetworkMapResource.tag(text.put("{\"meta\":{\"dependent-vtags\":["), whole.tag()).put("],");
        costs.writeMeta(text, clock.instant()).put("},\"cost-map\":");
        return Content.answer(MediaType.COST_MAP, costs.writeMap(text).put('}').bytes());
    }
}
