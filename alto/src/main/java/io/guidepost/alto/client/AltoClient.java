package io.guidepost.alto.client;

import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.protocol.Candidate;
import io.guidepost.alto.protocol.CostMode;
import io.guidepost.alto.protocol.CostType;
import io.guidepost.alto.protocol.EndpointAddress;
import io.guidepost.alto.protocol.RankClient;
import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An ALTO client: it finds resources in the directory and requests them. Maps are cached with their tags and
 * revalidated by conditional requests. One thread at a time.
 */
public final class AltoClient implements RankClient {
    /** The metric that RFC 7285 itself defines (section 6.1.1.1). */
    private static final String ROUTING_COST = "routingcost";

    private final URI directory;
    private final HttpClient http;
    private final ConditionalHttpClient transport;
    private @Nullable RemoteDirectory catalogue;

    /**
     * Creates a client; it sends nothing yet.
     *
     * @param directory URI of the information resource directory; without a path it is {@code /directory}
     * @param http makes the connections; closed with this
     * @param timeout of each request
     */
    public AltoClient(URI directory, HttpClient http, Duration timeout) {
        @Nullable String path = directory.getPath();
        this.directory = path == null || path.isEmpty() || path.equals("/") ? directory.resolve("/directory") : directory;
        this.http = http;
        this.transport = new ConditionalHttpClient(http, timeout);
    }

    /**
     * Returns the directory, fetched once.
     *
     * @throws IOException with a one-line message, as all requests
     */
    public RemoteDirectory catalogue() throws IOException {
        RemoteDirectory known = catalogue;
        if (known == null) {
            JsonValue json = transport.get(directory, AltoMediaType.DIRECTORY);
            try {
                known = RemoteDirectory.read(json, directory);
            } catch (Malformed e) {
                throw new IOException(directory + " is no directory of ALTO: " + e.getMessage(), e);
            }
            catalogue = known;
        }
        return known;
    }

    /** Returns the first matching resource of the directory. */
    private RemoteResource find(String mediaType, String what, Predicate<RemoteResource> suits) throws IOException {
        return catalogue().resources().values().stream()
                .filter(each -> each.mediaType().equals(mediaType) && suits.test(each))
                .findFirst()
                .orElseThrow(() -> new IOException("the server does not publish " + what));
    }

    /**
     * Returns the prefixes of each PID.
     *
     * @param id of the network map; empty for the default one
     */
    public Map<String, List<Prefix>> networkMap(Optional<String> id) throws IOException {
        RemoteDirectory known = catalogue();
        Optional<String> wanted = id.isPresent() ? id : known.defaultMap();
        RemoteResource map = find(
                AltoMediaType.NETWORK_MAP,
                "a network map" + wanted.map(each -> " " + each).orElse(""),
                each -> each.accepts().isEmpty() && each.id().equals(wanted.orElse(each.id())));
        try {
            JsonField pids = transport.get(map.uri(), AltoMediaType.NETWORK_MAP).whole().member("network-map");
            Map<String, List<Prefix>> prefixes = new LinkedHashMap<>();
            for (String pid : pids.members().keySet()) {
                List<Prefix> ofPid = new ArrayList<>();
                for (String type : List.of(EndpointAddress.IPV4, EndpointAddress.IPV6)) {
                    for (String each : pids.member(pid).texts(type, Integer.MAX_VALUE)) {
                        ofPid.add(Prefix.parse(each));
                    }
                }
                prefixes.put(pid, ofPid);
            }
            return prefixes;
        } catch (Malformed e) {
            throw wrong(map, e);
        }
    }

    /**
     * Returns the costs from each PID to each other that the server publishes.
     *
     * @param map id of the network map; empty for the default one
     */
    public Map<String, Map<String, Double>> costMap(Optional<String> map, CostType type) throws IOException {
        RemoteDirectory known = catalogue();
        Optional<String> wanted = map.isPresent() ? map : known.defaultMap();
        RemoteResource costs = find(
                AltoMediaType.COST_MAP,
                "a cost map of " + type.name(),
                each -> each.accepts().isEmpty()
                        && known.costTypes(each).contains(type)
                        && each.uses().contains(wanted.orElseGet(() -> each.uses().getFirst())));
        try {
            JsonField rows = transport.get(costs.uri(), AltoMediaType.COST_MAP).whole().member("cost-map");
            Map<String, Map<String, Double>> byPid = new LinkedHashMap<>();
            for (String from : rows.members().keySet()) {
                byPid.put(from, numbers(rows.member(from)));
            }
            return byPid;
        } catch (Malformed e) {
            throw wrong(costs, e);
        }
    }

    private static Map<String, Double> numbers(JsonField row) throws Malformed {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (Map.Entry<String, JsonValue> each : row.members().entrySet()) {
            if (each.getValue() instanceof JsonValue.Number(String digits, long _)) {
                numbers.put(each.getKey(), Double.parseDouble(digits));
            }
        }
        return numbers;
    }

    /**
     * Returns the costs to addresses; those that the server does not know are missing.
     *
     * @param from source; empty for the client's own address
     */
    public Map<Address, Double> costs(Optional<Address> from, List<Address> to, CostType type) throws IOException {
        RemoteDirectory known = catalogue();
        RemoteResource costs = find(
                AltoMediaType.ENDPOINT_COST,
                "costs between addresses by " + type.name(),
                each -> known.costTypes(each).contains(type));
        Map<String, Object> input = JsonWriter.object(
                "cost-type", JsonWriter.object("cost-mode", type.mode().word(), "cost-metric", type.metric()),
                "endpoints", JsonWriter.object(
                        "srcs", from.map(each -> endpoints(List.of(each))).orElse(null), "dsts", endpoints(to)));
        JsonValue answer = transport.post(
                costs.uri(),
                AltoMediaType.ENDPOINT_COST,
                costs.accepts().orElse(AltoMediaType.ENDPOINT_COST_PARAMS),
                JsonWriter.bytes(input));
        try {
            JsonField rows = answer.whole().member("endpoint-cost-map");
            Map<Address, Double> byAddress = new LinkedHashMap<>();
            for (String source : rows.members().keySet()) {
                numbers(rows.member(source)).forEach((endpoint, cost) ->
                        EndpointAddress.parse(endpoint).ifPresent(each -> byAddress.put(each, cost)));
            }
            return byAddress;
        } catch (Malformed e) {
            throw wrong(costs, e);
        }
    }

    private static List<String> endpoints(List<Address> addresses) {
        return addresses.stream().map(EndpointAddress::of).toList();
    }

    /** Returns a property of addresses, such as {@code net.pid}; those that the server does not know are missing. */
    public Map<Address, String> property(String property, List<Address> of) throws IOException {
        RemoteResource properties = find(
                AltoMediaType.ENDPOINT_PROPERTY, "property " + property, each -> each.properties().contains(property));
        Map<String, Object> input = JsonWriter.object("properties", List.of(property), "endpoints", endpoints(of));
        JsonValue answer = transport.post(
                properties.uri(),
                AltoMediaType.ENDPOINT_PROPERTY,
                properties.accepts().orElse(AltoMediaType.ENDPOINT_PROPERTY_PARAMS),
                JsonWriter.bytes(input));
        try {
            JsonField values = answer.whole().member("endpoint-properties");
            Map<Address, String> byAddress = new LinkedHashMap<>();
            for (String endpoint : values.members().keySet()) {
                Optional<JsonField> value = values.member(endpoint).find(property);
                Optional<Address> address = EndpointAddress.parse(endpoint);
                if (value.isPresent() && address.isPresent()) {
                    byAddress.put(address.get(), value.get().text());
                }
            }
            return byAddress;
        } catch (Malformed e) {
            throw wrong(properties, e);
        }
    }

    private static IOException wrong(RemoteResource resource, Malformed e) {
        return new IOException(resource.uri() + " violates the standard: " + e.getMessage(), e);
    }

    /**
     * Requests ordinal costs, or numerical ones if the server has no ordinal mode: the routing cost, or else the first
     * metric.
     */
    @Override
    public Ranked rank(List<Candidate> candidates, Optional<Prefix> source) throws IOException {
        RemoteDirectory known = catalogue();
        RemoteResource resource = find(AltoMediaType.ENDPOINT_COST, "costs between addresses", _ -> true);
        List<CostType> types = known.costTypes(resource);
        CostType type = types.stream()
                .filter(each -> each.mode() == CostMode.ORDINAL || each.mode() == CostMode.NUMERICAL)
                .min(Comparator.<CostType, Boolean>comparing(each -> !each.metric().equals(ROUTING_COST))
                        .thenComparing(each -> each.mode() != CostMode.ORDINAL))
                .orElseThrow(() -> new IOException("the server does not rank addresses"));
        List<Address> addresses =
                candidates.stream().map(each -> first(each.block())).distinct().toList();
        Map<Address, Double> costs = costs(source.map(AltoClient::first), addresses, type);
        List<Candidate> order = candidates.stream()
                .filter(each -> costs.containsKey(first(each.block())))
                .sorted(Comparator.comparingDouble(each -> costs.getOrDefault(first(each.block()), 0.0)))
                .toList();
        return new Ranked(order, 0, 1, false);
    }

    private static Address first(Prefix block) {
        return new Address(block.high(), block.low());
    }

    /** Returns the number of 304 responses: cached content that was still valid. */
    public int notModified() {
        return transport.notModified();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
