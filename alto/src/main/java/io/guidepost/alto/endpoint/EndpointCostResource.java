package io.guidepost.alto.endpoint;

import io.guidepost.alto.AltoCaller;
import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
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
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/**
 * The endpoint cost service (RFC 7285 section 11.5); with ordinal costs it ranks candidates.
 *
 * <p>Common requests take the fast path, {@link EndpointCostFastPath}; all others, and all invalid ones, this one. Addresses
 * are returned as the request wrote them, because clients look them up by that text.
 */
public final class EndpointCostResource implements AltoResource {
    private final String id;
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
        this.id = id;
        this.metrics = List.copyOf(metrics);
        this.clock = clock;
        this.quick = new EndpointCostFastPath(this.metrics);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String mediaType() {
        return AltoMediaType.ENDPOINT_COST;
    }

    @Override
    public Optional<String> accepts() {
        return Optional.of(AltoMediaType.ENDPOINT_COST_PARAMS);
    }

    /** Returns no ids: the standard forbids them here (section 11.5.1.5). */
    @Override
    public List<String> uses() {
        return List.of();
    }

    @Override
    public Optional<Consumer<JsonGenerator>> capabilities() {
        return Optional.of(out -> CostCapabilities.write(out, metrics));
    }

    @Override
    public ResourceContent content(AltoSnapshot information, byte[] input, AltoCaller caller) throws AltoError {
        Optional<ResourceContent> quickly = atOnce(information, input, caller);
        return quickly.isPresent()
                ? quickly.get()
                : ResourceContent.answer(AltoMediaType.ENDPOINT_COST, explained(information, input, caller));
    }

    @Override
    public Optional<ResourceContent> atOnce(AltoSnapshot information, byte[] input, AltoCaller caller) {
        return quick.answer(information, input, caller).map(each -> ResourceContent.answer(AltoMediaType.ENDPOINT_COST, each));
    }

    /** Computes the response by way of a JSON tree; it reports errors. */
    byte[] explained(AltoSnapshot information, byte[] input, AltoCaller caller) throws AltoError {
        AltoInput asked = AltoInput.read(input);
        CostQuery query = CostQuery.read(asked, metrics);
        Pairs pairs = Pairs.read(asked.object("endpoints"), caller);
        CostWriter costs = new CostWriter(query, metrics, new Grid(information.endpoints(), pairs), AltoLimits.PAIRS_MAX, "endpoints");
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
        public static Pairs read(AltoInput endpoints, AltoCaller caller) throws AltoError {
            List<Map.Entry<String, Address>> from = side(endpoints, "srcs");
            List<Map.Entry<String, Address>> to = side(endpoints, "dsts");
            if (from.isEmpty() && to.isEmpty()) {
                throw endpoints.refused("dsts", "[]", "srcs and dsts are not both empty");
            }
            List<Map.Entry<String, Address>> self =
                    List.of(Map.entry(EndpointAddress.of(caller.address()), caller.address()));
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

    private static final class Grid implements CostGrid {
        private final EndpointCosts costs;
        private final Pairs pairs;
        private final int[] from;
        private final int[] to;

        Grid(EndpointCosts costs, Pairs pairs) {
            this.costs = costs;
            this.pairs = pairs;
            this.from = places(pairs.from);
            this.to = places(pairs.to);
        }

        private int[] places(List<Map.Entry<String, Address>> side) {
            return side.stream()
                    .mapToInt(each -> costs.place(each.getValue().high(), each.getValue().low()))
                    .toArray();
        }

        @Override
        public int rows() {
            return from.length;
        }

        @Override
        public int columns() {
            return to.length;
        }

        @Override
        public double cost(String metric, int row, int column) {
            return costs.cost(metric, from[row], to[column]);
        }

        // A valid address needs no escapes.

        @Override
        public void row(AltoJsonWriter text, int row) {
            text.put(pairs.from.get(row).getKey());
        }

        @Override
        public void column(AltoJsonWriter text, int column) {
            text.put(pairs.to.get(column).getKey());
        }
    }
}
