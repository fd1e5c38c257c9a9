package io.guidepost.alto.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.web.JsonValue;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The 54 features (1.1.1 to 1.1.54) and 16 errors (1.2.1 to 1.2.16) that were tested between clients and servers at
 * IETF 93, each by its number, with the requests of the client that counted them. That client sits in the PID
 * {@code default}, where the last features need it.
 */
class Ietf93CasesTest {
    private static final String COSTS = "application/alto-costmapfilter+json";
    private static final String MAPS = "application/alto-networkmapfilter+json";

    /** Seven addresses, of which three have costs from and to the PID {@code default}. */
    private static final List<String> SEVEN = List.of(
            "ipv4:100.0.0.128", "ipv4:100.131.39.11", "ipv4:100.200.0.1", "ipv4:0.0.0.1", "ipv4:10.0.0.1", "ipv6:::2",
            "ipv6:FC01::");

    @TempDir
    Path folder;

    private final Map<Integer, Runnable> items = new TreeMap<>();
    private AltoSnapshot information = AltoSnapshot.EMPTY;
    private AltoTestCaller client = new AltoTestCaller(_ -> {
        throw new AssertionError("not set up");
    });

    @BeforeEach
    void load() throws Exception {
        information = Ietf93.information(folder);
        client = from("99.0.0.1");
    }

    private AltoTestCaller from(String address) throws Exception {
        return new AltoTestCaller(
                new AltoDispatcher(() -> information, ResourceCatalog.of(information, InstantSource.system()), List.of()),
                InetAddress.getByName(address));
    }

    @TestFactory
    Stream<DynamicTest> features() {
        directory();
        networkMaps(4, "default", List.of("peer1", "peer2", "default", "loopback", "linklocal", "private"));
        networkMaps(8, "alternate", List.of("default", "loopback", "linklocal", "private"));
        costMaps();
        filteredCosts(20, "default", "routingcost", "ge 20.0", "le 30.0");
        filteredCosts(26, "default", "hopcount", "ge 9", "le 30");
        filteredCosts(32, "alternate", "routingcost", "ge 20.0", "le 30.0");
        filteredCosts(38, "alternate", "hopcount", "ge 4", "le 11");
        item(44, this::properties);
        endpointCosts(45, "routingcost", "0 0 2 6.5 8 23 38", "8 8 10 9 0 25 40", "63 65 60");
        endpointCosts(50, "hopcount", "0 0 2 3 3 4 5", "3 3 4 3 0 4 5", "4 4 3");
        assertThat(items).hasSize(54);
        return items.entrySet().stream()
                .map(each -> DynamicTest.dynamicTest("1.1." + each.getKey(), each.getValue()::run));
    }

    @TestFactory
    Stream<DynamicTest> errors() {
        String endpoints = ",\"endpoints\":[\"ipv4:1.2.3.4\"]}";
        String pids = ",\"pids\":{\"srcs\":[],\"dsts\":[]}}";
        List<Runnable> errors = new ArrayList<>();
        errors.add(() -> refused(
                asked("{\"properties\":[\"default.pid\"],\"endpoints\":\"ipv4:1.2.3.4\"}"), "E_INVALID_FIELD_TYPE", "endpoints", ""));
        errors.add(() -> refused(asked("{" + endpoints.substring(1)), "E_MISSING_FIELD", "properties", ""));
        errors.add(() -> refused(
                asked("{\"properties\":[\"invaliddefault.pid\"]" + endpoints), "E_INVALID_FIELD_VALUE", "properties",
                "invaliddefault.pid"));
        for (String each : List.of("ipv4:1.2.3.256", "ipv6:2001:db800::", "ipv4:2001:db8::", "ipv6:1.2.3.4")) {
            errors.add(() -> refused(
                    asked("{\"properties\":[\"default.pid\"],\"endpoints\":[\"" + each + "\"]}"), "E_INVALID_FIELD_VALUE",
                    "endpoints", each));
        }
        for (String mode : List.of("numerical", "ordinal")) {
            errors.add(() -> refused(
                    client.post("/default-costs", COSTS,
                            "{\"cost-type\":{\"cost-mode\":\"" + mode + "\",\"cost-metric\":\"no-such-metric\"}" + pids),
                    "E_INVALID_FIELD_VALUE", "cost-type/cost-metric", "no-such-metric"));
        }
        for (String metric : List.of("routingcost", "hopcount")) {
            errors.add(() -> refused(
                    client.post("/default-costs", COSTS,
                            "{\"cost-type\":{\"cost-mode\":\"no-such-mode\",\"cost-metric\":\"" + metric + "\"}" + pids),
                    "E_INVALID_FIELD_VALUE", "cost-type/cost-mode", "no-such-mode"));
        }
        errors.add(() -> refused(
                client.post("/default-costs", COSTS, "{" + type("routingcost") + ",\"constraints\":[\"ne 100\"]" + pids),
                "E_INVALID_FIELD_VALUE", "constraints", "ne 100"));
        errors.add(() -> {
            // The draft means text that is no JSON; that client sends a string for an array and takes either code.
            assertThat(asked("{\"properties\":[\"default.pid\"" + endpoints).at("meta/code")).isEqualTo("\"E_SYNTAX\"");
            refused(asked("{\"properties\":\"\"" + endpoints), "E_INVALID_FIELD_TYPE", "properties", "");
        });
        errors.add(() -> assertThat(client.get("/default", "accept", "text/html").status()).isEqualTo(406));
        errors.add(() -> assertThat(asked("{\"properties\":[\"default.pid\"]" + endpoints, "accept", "text/html").status())
                .isEqualTo(406));
        errors.add(() -> {
            assertThat(asked("{\"properties\":[\"default.pid\"]" + endpoints, "accept", "text/text").status()).isEqualTo(406);
            assertThat(client.ask("POST", "/endpoint-properties", "{}", "content-type", "text/text").status()).isEqualTo(415);
        });
        assertThat(errors).hasSize(16);
        return IntStream.range(0, 16).mapToObj(i -> DynamicTest.dynamicTest("1.2." + (i + 1), errors.get(i)::run));
    }

    private AltoTestCaller.Answer asked(String body, String... headers) {
        List<String> all = new ArrayList<>(List.of("content-type", "application/alto-endpointpropparams+json"));
        all.addAll(List.of(headers));
        return client.ask("POST", "/endpoint-properties", body, all.toArray(String[]::new));
    }

    private static void refused(AltoTestCaller.Answer answer, String code, String field, String value) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.type()).isEqualTo("application/alto-error+json");
        assertThat(answer.at("meta/code")).isEqualTo('"' + code + '"');
        assertThat(answer.at("meta/field")).isEqualTo('"' + field + '"');
        assertThat(answer.at("meta/value")).isEqualTo(value.isEmpty() ? "" : '"' + value + '"');
    }

    private void item(int number, Runnable check) {
        assertThat(items.put(number, check)).as("1.1." + number + " once").isNull();
    }

    private void directory() {
        item(1, () -> {
            AltoTestCaller.Answer directory = client.get("/directory", "accept", "application/alto-directory+json");
            assertThat(directory.status()).isEqualTo(200);
            assertThat(directory.type()).isEqualTo("application/alto-directory+json");
            for (String each : List.of("num-routingcost", "ord-routingcost", "num-hopcount", "ord-hopcount")) {
                assertThat(directory.at("meta/cost-types/" + each)).as(each).isNotEmpty();
            }
        });
        item(2, () -> {
            assertThat(client.get("/directory").at("meta/default-alto-network-map")).isEqualTo("\"default\"");
            assertThat(map(client.get("/default"))).isEqualTo(Ietf93.blocks("default")).hasSize(13);
        });
        item(3, () -> assertThat(map(client.get("/alternate"))).isEqualTo(Ietf93.blocks("alternate")).hasSize(12));
    }

    private static Map<String, Map<String, List<String>>> map(AltoTestCaller.Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.type()).isEqualTo("application/alto-networkmap+json");
        return Ietf93.blocks(Objects.requireNonNull(answer.json().members().get("network-map")));
    }

    private void networkMaps(int number, String map, List<String> ofIpv6) {
        String path = "/" + map + "-filtered";
        item(number, () -> {
            for (String all : List.of("{\"pids\":[]}", "{\"pids\":[],\"address-types\":[]}")) {
                assertThat(map(client.post(path, MAPS, all))).isEqualTo(Ietf93.blocks(map));
            }
        });
        item(number + 1, () -> {
            Map<String, Map<String, List<String>>> told =
                    map(client.post(path, MAPS, "{\"pids\":[],\"address-types\":[\"ipv6\"]}"));
            assertThat(told).containsOnlyKeys(ofIpv6);
            told.forEach((pid, blocks) -> assertThat(blocks)
                    .isEqualTo(Map.of("ipv6", Objects.requireNonNull(Objects.requireNonNull(Ietf93.blocks(map).get(pid)).get("ipv6")))));
        });
        item(number + 2, () -> assertThat(
                map(client.post(path, MAPS, "{\"pids\":[\"invalidPIDAAA1\",\"invalidPIDAAA2\"]}"))).isEmpty());
        item(number + 3, () -> {
            String pids = "{\"pids\":[\"invalidPIDAAA1\",\"invalidPIDAAA2\",\"loopback\"]}";
            assertThat(map(client.post(path, MAPS, pids)))
                    .isEqualTo(Map.of("loopback", Objects.requireNonNull(Ietf93.blocks(map).get("loopback"))));
        });
    }

    private void costMaps() {
        int number = 12;
        for (String map : List.of("default", "alternate")) {
            for (String metric : List.of("routingcost", "hopcount")) {
                Map<String, Map<String, Double>> given = Ietf93.costs(map, metric);
                item(number++, () -> {
                    AltoTestCaller.Answer answer = client.get("/" + map + "-num-" + metric);
                    assertThat(answer.at("meta/dependent-vtags")).isEqualTo("[" + client.get("/" + map).at("meta/vtag") + "]");
                    assertThat(costs(answer, "cost-map")).isEqualTo(given);
                });
                item(number++, () -> {
                    double[] order =
                            given.values().stream().flatMap(row -> row.values().stream()).mapToDouble(each -> each).sorted()
                                    .distinct().toArray();
                    Map<String, Map<String, Double>> positions = new TreeMap<>();
                    given.forEach((from, row) -> row.forEach((to, cost) -> positions.computeIfAbsent(from, _ -> new TreeMap<>())
                            .put(to, 1.0 + java.util.Arrays.binarySearch(order, cost))));
                    assertThat(costs(client.get("/" + map + "-ord-" + metric), "cost-map")).isEqualTo(positions);
                });
            }
        }
    }

    private static Map<String, Map<String, Double>> costs(AltoTestCaller.Answer answer, String member) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return Ietf93.costs(Objects.requireNonNull(answer.json().members().get(member)));
    }

    private void filteredCosts(int number, String map, String metric, String least, String most) {
        filtered(number, map, metric, List.of(), List.of(), "", _ -> true);
        filtered(number + 1, map, metric, List.of(), List.of("default"), "", _ -> true);
        filtered(number + 2, map, metric, List.of("default"), List.of(), "", _ -> true);
        filtered(number + 3, map, metric, List.of("invaliddefault"), List.of("invaliddefault"), "", _ -> true);
        filtered(number + 4, map, metric, List.of("invaliddefault", "linklocal"), List.of("linklocal"), "", _ -> true);
        double from = Double.parseDouble(least.substring(3));
        double to = Double.parseDouble(most.substring(3));
        filtered(
                number + 5, map, metric, List.of(), List.of(), "\"constraints\":[\"" + least + "\",\"" + most + "\"],",
                cost -> cost >= from && cost <= to);
    }

    private void filtered(
            int number, String map, String metric, List<String> from, List<String> to, String constraints, DoublePredicate told) {
        item(number, () -> {
            Map<String, Map<String, Double>> expected = new TreeMap<>();
            Ietf93.costs(map, metric).forEach((source, row) -> row.forEach((destination, cost) -> {
                boolean asked = (from.isEmpty() || from.contains(source)) && (to.isEmpty() || to.contains(destination));
                if (asked && told.test(cost)) {
                    expected.computeIfAbsent(source, _ -> new TreeMap<>()).put(destination, cost);
                }
            }));
            assertThat(costs(client.post("/" + map + "-costs", COSTS, "{" + constraints + type(metric)
                    + ",\"pids\":{\"srcs\":" + list(from) + ",\"dsts\":" + list(to) + "}}"), "cost-map")).isEqualTo(expected);
        });
    }

    private static String type(String metric) {
        return "\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"" + metric + "\"}";
    }

    private static String list(List<String> texts) {
        return texts.isEmpty() ? "[]" : "[\"" + String.join("\",\"", texts) + "\"]";
    }

    private void properties() {
        Map<String, Map<String, String>> given = Ietf93.endpoints();
        assertThat(given).hasSize(35);
        for (String name : List.of("default.pid", "alternate.pid", "priv:ietf-type")) {
            AltoTestCaller.Answer answer = client.post(
                    "/endpoint-properties", "application/alto-endpointpropparams+json",
                    "{\"properties\":[\"" + name + "\"],\"endpoints\":" + list(List.copyOf(given.keySet())) + "}");
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            Map<String, JsonValue> told =
                    ((JsonValue.Members) Objects.requireNonNull(answer.json().members().get("endpoint-properties"))).members();
            Map<String, String> found = new LinkedHashMap<>();
            told.forEach((endpoint, values) -> ((JsonValue.Members) values).members()
                    .forEach((_, value) -> found.put(endpoint, AltoInput.told(value))));
            Map<String, String> expected = new LinkedHashMap<>();
            given.forEach((endpoint, values) -> {
                String value = values.get(name);
                if (value != null) {
                    expected.put(endpoint, value);
                }
            });
            assertThat(found).as(name).isEqualTo(expected);
        }
    }

    private Map<String, Map<String, Double>> ecs(AltoTestCaller asking, String metric, List<String> from, List<String> to) {
        return costs(
                asking.post("/endpoint-costs", "application/alto-endpointcostparams+json", "{" + type(metric)
                        + ",\"endpoints\":{\"srcs\":" + list(from) + ",\"dsts\":" + list(to) + "}}"),
                "endpoint-cost-map");
    }

    private static Map<String, Double> row(List<String> names, String costs) {
        Map<String, Double> row = new TreeMap<>();
        String[] each = costs.split(" ", -1);
        for (int i = 0; i < each.length; i++) {
            row.put(names.get(i), Double.parseDouble(each[i]));
        }
        return row;
    }

    private void endpointCosts(int number, String metric, String first, String second, String mine) {
        item(number, () -> {
            List<String> to = List.of(
                    "ipv4:100.0.0.100", "ipv4:100.8.1.100", "ipv4:100.0.1.100", "ipv4:100.64.0.100", "ipv4:100.128.4.100",
                    "ipv4:130.0.1.100", "ipv4:132.0.8.100");
            assertThat(ecs(client, metric, List.of("ipv4:100.0.0.128", "ipv4:100.131.39.11"), to))
                    .isEqualTo(Map.of("ipv4:100.0.0.128", row(to, first), "ipv4:100.131.39.11", row(to, second)));
        });
        item(number + 1, () -> assertThat(
                ecs(client, metric, List.of("ipv4:10.0.1.0", "ipv6:::2"), List.of("ipv4:10.0.1.1", "ipv6:::1:2")))
                .isEqualTo(Map.of("ipv4:10.0.1.0", Map.of("ipv4:10.0.1.1", 0.0))));
        item(number + 2, () -> assertThat(
                ecs(client, metric, List.of("ipv4:127.0.0.1", "ipv6:::1"), List.of("ipv4:127.0.1.0")))
                .isEqualTo(Map.of("ipv4:127.0.0.1", Map.of("ipv4:127.0.1.0", 0.0), "ipv6:::1", Map.of("ipv4:127.0.1.0", 0.0))));
        item(number + 3, () -> {
            Map<String, Map<String, Double>> expected = new TreeMap<>();
            row(SEVEN, mine).forEach((source, cost) -> expected.put(source, Map.of("ipv4:99.0.0.1", cost)));
            assertThat(ecs(client, metric, SEVEN, List.of())).isEqualTo(expected);
        });
        item(number + 4, () -> assertThat(ecs(client, metric, List.of(), SEVEN))
                .isEqualTo(Map.of("ipv4:99.0.0.1", row(SEVEN, mine))));
    }

    /**
     * Of 1.1.48, 49, 53 and 54 that client has a second table, for who sits in {@code private}. The data have one cost
     * from and to it, to itself; the table names 0.0.0.1 for 10.0.0.1, which is in {@code default}, so no server that tells
     * these data fits it.
     */
    @Test
    void whoSitsInPrivateHasTheCostsOfPrivate() throws Exception {
        for (String metric : List.of("routingcost", "hopcount")) {
            assertThat(ecs(from("10.9.9.9"), metric, SEVEN, List.of())).isEqualTo(
                    Map.of("ipv4:10.0.0.1", Map.of("ipv4:10.9.9.9", 0.0), "ipv6:FC01::", Map.of("ipv4:10.9.9.9", 0.0)));
            assertThat(ecs(from("10.9.9.9"), metric, List.of(), SEVEN))
                    .isEqualTo(Map.of("ipv4:10.9.9.9", Map.of("ipv4:10.0.0.1", 0.0, "ipv6:FC01::", 0.0)));
        }
    }
}
