package io.guidepost.alto.endpoint;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.cost.CostCapabilities;
import io.guidepost.alto.cost.CostGrid;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.cost.CostQuery;
import io.guidepost.alto.cost.CostWriter;
import io.guidepost.alto.map.NetworkMapResource;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.AltoJsonWriter;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.protocol.EndpointAddress;
import io.guidepost.base.Address;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The endpoint cost service (RFC 7285 section 11.5); with ordinal costs it ranks candidates.
 *
 * <p>Common requests take the fast path, {@link EndpointCostFastPath}; all others, and all invalid ones, this one. Addresses
 * are returned as the request wrote them, because clients look them up by that text.
 */
public final class EndpointCostResource extends AltoResource {
    private final List<CostMetric> metrics;
    private final InstantSource clock;
    private final EndpointCostFastPath quick;

    /**
     * Creates the resource.
     *
     * @param metrics that are published
     * @param clock determines the current cycle of a cost calendar
     */
    public EndpointCostResource(String id, List<CostMetric> metrics, InstantSource clock) {
        // The standard forbids ids of other resources here (section 11.5.1.5).
        super(new DirectoryEntry(
                id,
                AltoMediaType.ENDPOINT_COST,
                Optional.of(AltoMediaType.ENDPOINT_COST_PARAMS),
                List.of(),
                CostCapabilities.of(metrics)));
        this.metrics = List.copyOf(metrics);
        this.clock = clock;
        this.quick = new EndpointCostFastPath(this.metrics);
    }

    @Override
    public ResourceContent content(AltoSnapshot information, byte[] input, Address caller) throws AltoError {
        Optional<ResourceContent> quickly = atOnce(information, input, caller);
        return quickly.isPresent()
                ? quickly.get()
                : ResourceContent.answer(AltoMediaType.ENDPOINT_COST, explained(information, input, caller));
    }

    @Override
    public Optional<ResourceContent> atOnce(AltoSnapshot information, byte[] input, Address caller) {
        return quick.answer(information, input, caller).map(each -> ResourceContent.answer(AltoMediaType.ENDPOINT_COST, each));
    }

    /** Computes the response by way of a JSON tree; it reports errors. */
    byte[] explained(AltoSnapshot information, byte[] input, Address caller) throws AltoError {
        AltoInput asked = AltoInput.read(input);
        CostQuery query = CostQuery.read(asked, metrics);
        Pairs pairs = Pairs.read(asked.object("endpoints"), caller);
        CostWriter costs = new CostWriter(query, metrics, grid(information.endpoints(), pairs), AltoLimits.PAIRS_MAX, "endpoints");
        AltoJsonWriter text = new AltoJsonWriter(4096).put("{\"meta\":{");
        meta(text, information);
        costs.writeMeta(text, clock.instant()).put("},\"endpoint-cost-map\":");
        return costs.writeMap(text).put('}').bytes();
    }

    /** Writes the tag of the default map, which is not in the standard, but some clients fail without it. */
    static void meta(AltoJsonWriter text, AltoSnapshot information) {
        if (!information.maps().isEmpty()) {
            NetworkMapResource.tag(text.put("\"vtag\":"), information.maps().getFirst().tag()).put(',');
        }
    }

    /**
     * Sources and destinations of a request.
     *
     * @param from texts, each with its address
     */
    public record Pairs(List<Map.Entry<String, Address>> from, List<Map.Entry<String, Address>> to) {
        /** Reads {@code srcs} and {@code dsts}; an empty one means the client's address (section 11.5.1.3). */
        public static Pairs read(AltoInput endpoints, Address caller) throws AltoError {
            List<Map.Entry<String, Address>> from = side(endpoints, "srcs");
            List<Map.Entry<String, Address>> to = side(endpoints, "dsts");
            if (from.isEmpty() && to.isEmpty()) {
                throw endpoints.refused("dsts", "[]", "srcs and dsts are not both empty");
            }
            List<Map.Entry<String, Address>> self =
                    List.of(Map.entry(EndpointAddress.of(caller), caller));
            return new Pairs(from.isEmpty() ? self : from, to.isEmpty() ? self : to);
        }

        private static List<Map.Entry<String, Address>> side(AltoInput endpoints, String name) throws AltoError {
            Map<Address, String> texts = new LinkedHashMap<>();
            for (String each : endpoints.findTexts(name, AltoLimits.ENDPOINTS_MAX)) {
                texts.putIfAbsent(address(endpoints, name, each), each);
            }
            List<Map.Entry<String, Address>> side = new ArrayList<>();
            texts.forEach((address, text) -> side.add(Map.entry(text, address)));
            return side;
        }
    }

    /** Returns an element of an array, which must be a typed address. */
    static Address address(AltoInput asked, String name, String text) throws AltoError {
        return EndpointAddress.parse(text)
                .orElseThrow(() -> asked.refused(
                        name, text, "an endpoint is written such as ipv4:192.0.2.1 or ipv6:2001:db8::1"));
    }

    // A valid address needs no escapes.
    private static CostGrid grid(EndpointCosts costs, Pairs pairs) {
        int[] from = places(costs, pairs.from);
        int[] to = places(costs, pairs.to);
        return new CostGrid(
                pairs.from.stream().map(Map.Entry::getKey).toList(),
                pairs.to.stream().map(Map.Entry::getKey).toList(),
                (metric, row, column) -> costs.cost(metric, from[row], to[column]));
    }

    private static int[] places(EndpointCosts costs, List<Map.Entry<String, Address>> side) {
        return side.stream()
                .mapToInt(each -> costs.place(each.getValue().high(), each.getValue().low()))
                .toArray();
    }
}
