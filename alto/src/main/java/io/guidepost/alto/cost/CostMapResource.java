package io.guidepost.alto.cost;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.NetworkMapResource;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoIdentifiers;
import io.guidepost.alto.protocol.AltoJsonWriter;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.protocol.ContentTag;
import io.guidepost.alto.protocol.CostType;
import io.guidepost.base.Address;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A cost map: all costs of one type between the PIDs of a network map (RFC 7285 section 11.2.3). */
public final class CostMapResource extends AltoResource {
    private static final int PAIR_BYTES = 24;
    private static final int BYTES_EXPECTED_MAX = 1 << 26;

    private final String map;
    private final CostType type;

    /** Creates the resource for a network map. */
    public CostMapResource(String map, CostType type) {
        super(new DirectoryEntry(
                AltoIdentifiers.derived(map, "-" + type.name(), 0),
                AltoMediaType.COST_MAP,
                Optional.empty(),
                List.of(map),
                Map.of("cost-type-names", List.of(type.name()))));
        this.map = map;
        this.type = type;
    }

    @Override
    public ResourceContent content(AltoSnapshot information, byte[] input, Address caller) throws AltoError {
        NetworkMap whole = NetworkMapResource.map(information, map);
        CostMetric metric = CostMetric.of(type.metric());
        Optional<CostTable> table = information.costs(map, metric.name());
        int[] to = IntStream.range(0, whole.pids().size()).toArray();
        int[] from = IntStream.of(to).filter(each -> table.isPresent() && table.get().tellsFrom(each)).toArray();
        CostWriter costs = new CostWriter(
                CostQuery.of(type), List.of(metric),
                PidCostGrid.of(information, whole, List.of(metric), from, to), AltoLimits.MAP_PAIRS_MAX, "cost-map");
        AltoJsonWriter text = new AltoJsonWriter((int) Math.min(BYTES_EXPECTED_MAX, 1024L + (long) from.length * to.length * PAIR_BYTES));
        NetworkMapResource.tag(text.put("{\"meta\":{\"dependent-vtags\":["), whole.tag()).put("],");
        costs.writeMeta(text, Instant.EPOCH).put("},\"cost-map\":");
        byte[] body = costs.writeMap(text).put('}').bytes();
        return new ResourceContent(AltoMediaType.COST_MAP, ContentTag.of(body), body);
    }
}
