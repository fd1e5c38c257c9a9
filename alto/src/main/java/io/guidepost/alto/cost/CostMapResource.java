package io.guidepost.alto.cost;

import io.guidepost.alto.AltoError;
import io.guidepost.alto.AltoText;
import io.guidepost.alto.Caller;
import io.guidepost.alto.Content;
import io.guidepost.alto.CostType;
import io.guidepost.alto.Information;
import io.guidepost.alto.Limits;
import io.guidepost.alto.MediaType;
import io.guidepost.alto.Names;
import io.guidepost.alto.Resource;
import io.guidepost.alto.Tag;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.NetworkMapResource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import tools.jackson.core.JsonGenerator;

/** All costs of one type between the PIDs of a network map (RFC 7285 section 11.2.3). */
public final class CostMapResource implements Resource {
    private static final int PAIR_BYTES = 24;
    private static final int BYTES_EXPECTED_MAX = 1 << 26;

    private final String map;
    private final CostType type;

    /** Of the map of that id. */
    public CostMapResource(String map, CostType type) {
        this.map = map;
        this.type = type;
    }

    @Override
    public String id() {
        return Names.derived(map, "-" + type.name(), 0);
    }

    @Override
    public String mediaType() {
        return MediaType.COST_MAP;
    }

    @Override
    public Optional<String> accepts() {
        return Optional.empty();
    }

    @Override
    public List<String> uses() {
        return List.of(map);
    }

    @Override
    public Optional<Consumer<JsonGenerator>> capabilities() {
        return Optional.of(out -> {
            out.writeArrayPropertyStart("cost-type-names");
            out.writeString(type.name());
            out.writeEndArray();
        });
    }

    @Override
    public Content content(Information information, byte[] input, Caller caller) throws AltoError {
        NetworkMap whole = NetworkMapResource.map(information, map);
        CostMetric metric = CostMetric.of(type.metric());
        Optional<CostTable> table = information.costs(map, metric.name());
        int[] to = IntStream.range(0, whole.pids().size()).toArray();
        int[] from = IntStream.of(to).filter(each -> table.isPresent() && table.get().tellsFrom(each)).toArray();
        Costs costs = new Costs(
                CostQuery.of(type), List.of(metric),
                new MapGrid(information, whole, List.of(metric), from, to), Limits.MAP_PAIRS_MAX, "cost-map");
        AltoText text = new AltoText((int) Math.min(BYTES_EXPECTED_MAX, 1024L + (long) from.length * to.length * PAIR_BYTES));
        NetworkMapResource.tag(text.put("{\"meta\":{\"dependent-vtags\":["), whole.tag()).put("],");
        costs.writeMeta(text, Instant.EPOCH).put("},\"cost-map\":");
        byte[] body = costs.writeMap(text).put('}').bytes();
        return new Content(MediaType.COST_MAP, Tag.of(body), body);
    }
}
