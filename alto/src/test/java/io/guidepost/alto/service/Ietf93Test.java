package io.guidepost.alto.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.EndpointAddress;
import io.guidepost.web.JsonValue;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Beyond the cases of IETF 93, with its data: what else a client may ask for and get wrong. */
class Ietf93Test {
    @TempDir
    Path folder;

    private AltoSnapshot information = AltoSnapshot.EMPTY;
    private AltoTestCaller client = new AltoTestCaller(_ -> {
        throw new AssertionError("not set up");
    });

    @BeforeEach
    void load() throws Exception {
        information = Ietf93.information(folder);
        client = new AltoTestCaller(new AltoDispatcher(
                () -> information, ResourceCatalog.of(information, InstantSource.system()), List.of()));
    }

    private static Map<String, Map<String, Double>> costs(AltoTestCaller.Answer answer, String member) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return Ietf93.costs(Objects.requireNonNull(answer.json().members().get(member)));
    }

    private static Map<String, Map<String, Double>> only(
            String map, String metric, List<String> from, List<String> to, DoublePredicate told) {
        Map<String, Map<String, Double>> kept = new TreeMap<>();
        Ietf93.costs(map, metric).forEach((source, row) -> row.forEach((destination, cost) -> {
            boolean asked = (from.isEmpty() || from.contains(source)) && (to.isEmpty() || to.contains(destination));
            if (asked && told.test(cost)) {
                kept.computeIfAbsent(source, _ -> new TreeMap<>()).put(destination, cost);
            }
        }));
        return kept;
    }

    private static String list(List<String> texts) {
        return texts.isEmpty() ? "[]" : "[\"" + String.join("\",\"", texts) + "\"]";
    }

    @Test
    void theDirectoryHasAllThatTheEventAskedFor() {
        AltoTestCaller.Answer directory = client.get("/directory", "accept", "application/alto-directory+json");
        assertThat(directory.status()).isEqualTo(200);
        assertThat(directory.type()).isEqualTo("application/alto-directory+json");
        assertThat(directory.at("meta/default-alto-network-map")).isEqualTo("\"default\"");
        for (String each : List.of("num-routingcost", "ord-routingcost", "num-hopcount", "ord-hopcount")) {
            assertThat(directory.at("meta/cost-types/" + each)).as(each).isNotEmpty();
            for (String map : List.of("default", "alternate")) {
                String id = "resources/" + map + "-" + each;
                assertThat(directory.at(id + "/uri")).isEqualTo("\"http://alto.example/" + map + "-" + each + "\"");
                assertThat(directory.at(id + "/media-type")).isEqualTo("\"application/alto-costmap+json\"");
                assertThat(directory.at(id + "/uses")).isEqualTo("[\"" + map + "\"]");
                assertThat(directory.at(id + "/capabilities/cost-type-names")).isEqualTo("[\"" + each + "\"]");
            }
        }
        for (String map : List.of("default", "alternate")) {
            assertThat(directory.at("resources/" + map + "/media-type")).isEqualTo("\"application/alto-networkmap+json\"");
            assertThat(directory.at("resources/" + map + "-filtered/accepts"))
                    .isEqualTo("\"application/alto-networkmapfilter+json\"");
            assertThat(directory.at("resources/" + map + "-costs/capabilities/cost-constraints")).isEqualTo("true");
        }
        assertThat(directory.at("resources/endpoint-costs/uses")).isEmpty();
        assertThat(directory.at("resources/endpoint-properties/capabilities/prop-types"))
                .isEqualTo("[\"default.pid\",\"alternate.pid\",\"priv:ietf-type\"]");
    }

    @Test
    void filteredNetworkMapsHaveWhatIsAskedFor() {
        String accepts = "application/alto-networkmapfilter+json";
        AltoTestCaller.Answer two = client.post("/default-filtered", accepts, "{\"pids\":[\"peer1\",\"mine2\",\"none\",\"peer1\"]}");
        assertThat(two.at("meta")).isEqualTo(client.get("/default").at("meta"));
        assertThat(two.at("network-map")).isEqualTo("{\"peer1\":{\"ipv4\":[\"128.0.0.0/16\",\"130.0.0.0/16\"],"
                + "\"ipv6\":[\"2001:db8::/33\"]},\"mine2\":{\"ipv4\":[\"100.64.0.0/10\"]}}");
        assertThat(client.post("/default-filtered", accepts, "{\"pids\":[\"peer1\"],\"address-types\":[\"ipv6\",\"other\"]}")
                        .at("network-map"))
                .isEqualTo("{\"peer1\":{\"ipv6\":[\"2001:db8::/33\"]}}");
        assertThat(client.post("/default-filtered", accepts, "{\"pids\":[\"mine\",\"peer2\"],\"address-types\":[\"ipv6\"]}")
                        .at("network-map"))
                .isEqualTo("{\"peer2\":{\"ipv6\":[\"2001:db8:8000::/33\"]}}");
        for (String all : List.of("{\"pids\":[]}", "{\"pids\":[],\"address-types\":[]}")) {
            assertThat(client.post("/alternate-filtered", accepts, all).text()).isEqualTo(client.get("/alternate").text());
        }
        assertThat(client.post("/alternate-filtered", accepts, "{\"pids\":[\"mine\"]}").at("network-map")).isEqualTo("{}");
    }

    @ParameterizedTest
    @CsvSource({
        "default,routingcost,20,30", "default,hopcount,3,4", "alternate,routingcost,20,30", "alternate,hopcount,4,11"
    })
    void filteredCostMapsHaveWhatIsAskedFor(String map, String metric, int least, int most) {
        String type = "\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"" + metric + "\"}";
        List<String> some = map.equals("default") ? List.of("mine", "peer1", "none") : List.of("dc1", "user2");
        List<String> others = map.equals("default") ? List.of("mine1", "tran1", "peer1") : List.of("default", "dc4");
        Map<String, DoublePredicate> tests = new LinkedHashMap<>();
        tests.put("", _ -> true);
        tests.put(",\"constraints\":[\"ge " + least + "\",\"le " + most + ".0\"]", cost -> cost >= least && cost <= most);
        tests.put(",\"constraints\":[\"gt " + least + "\",\"lt " + most + "\"]", cost -> cost > least && cost < most);
        tests.put(",\"constraints\":[\"eq " + most + "\"]", cost -> cost == most);
        tests.put(",\"constraints\":[]", _ -> true);
        tests.forEach((constraints, told) -> {
            for (List<String> from : List.of(some, List.<String>of())) {
                for (List<String> to : List.of(others, List.<String>of())) {
                    String pids = ",\"pids\":{\"srcs\":" + list(from) + ",\"dsts\":" + list(to) + "}";
                    assertThat(costs(filtered(map, "{" + type + constraints + pids + "}"), "cost-map"))
                            .as(constraints + pids)
                            .isEqualTo(only(map, metric, from, to, told));
                }
            }
            assertThat(costs(filtered(map, "{" + type + constraints + "}"), "cost-map"))
                    .isEqualTo(only(map, metric, List.of(), List.of(), told));
        });
    }

    private AltoTestCaller.Answer filtered(String map, String body) {
        return client.post("/" + map + "-costs", "application/alto-costmapfilter+json", body);
    }

    @Test
    void propertiesOfEndpointsAreThoseOfTheLongestBlock() {
        Map<String, Map<String, String>> given = Ietf93.endpoints();
        AltoTestCaller.Answer answer = client.post(
                "/endpoint-properties", "application/alto-endpointpropparams+json",
                "{\"properties\":[\"alternate.pid\",\"default.pid\",\"priv:ietf-type\"],\"endpoints\":"
                        + list(List.copyOf(given.keySet())) + "}");
        assertThat(answer.type()).isEqualTo("application/alto-endpointprop+json");
        assertThat(answer.at("meta/dependent-vtags"))
                .contains(client.get("/default").at("meta/vtag"), client.get("/alternate").at("meta/vtag"));
        Map<String, JsonValue> told =
                ((JsonValue.Members) Objects.requireNonNull(answer.json().members().get("endpoint-properties"))).members();
        assertThat(told).hasSize(35);
        given.forEach((endpoint, expected) -> {
            Map<String, String> found = new HashMap<>();
            ((JsonValue.Members) Objects.requireNonNull(told.get(endpoint))).members()
                    .forEach((name, value) -> found.put(name, AltoInput.told(value)));
            assertThat(found).as(endpoint).isEqualTo(expected);
        });
    }

    @ParameterizedTest
    @CsvSource({"routingcost,20,30", "hopcount,3,4"})
    void costsBetweenEndpointsAreThoseOfTheirPids(String metric, int least, int most) {
        List<String> from = List.of("ipv4:100.0.0.1", "ipv4:128.0.0.1", "ipv6:2001:DB8:8000::1");
        List<String> to = List.of("ipv4:100.0.1.1", "ipv4:100.75.0.1", "ipv4:132.0.0.1", "ipv6:2001:db8::", "ipv4:99.0.0.1");
        for (boolean constrained : List.of(false, true)) {
            Map<String, Map<String, Double>> expected = new TreeMap<>();
            for (String source : from) {
                for (String destination : to) {
                    Double cost = Ietf93.costs("default", metric).getOrDefault(pid(source), Map.of()).get(pid(destination));
                    if (cost != null && (!constrained || cost >= least && cost <= most)) {
                        expected.computeIfAbsent(source, _ -> new TreeMap<>()).put(destination, cost);
                    }
                }
            }
            assertThat(expected).isNotEmpty();
            String constraints = constrained ? "\"constraints\":[\"ge " + least + "\",\"le " + most + "\"]," : "";
            assertThat(costs(ecs("{" + constraints + "\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"" + metric
                    + "\"},\"endpoints\":{\"srcs\":" + list(from) + ",\"dsts\":" + list(to) + "}}"), "endpoint-cost-map"))
                    .isEqualTo(expected);
        }
    }

    private String pid(String endpoint) {
        NetworkMap map = information.maps().getFirst();
        return map.pids().get(map.pid(EndpointAddress.parse(endpoint).orElseThrow()));
    }

    private AltoTestCaller.Answer ecs(String body) {
        return client.post("/endpoint-costs", "application/alto-endpointcostparams+json", body);
    }

    @Test
    void whoAsksIsTheSideThatIsMissing() {
        String type = "{\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"routingcost\"},\"endpoints\":";
        for (String srcs : List.of("", "\"srcs\":[],")) {
            AltoTestCaller.Answer answer = ecs(type + "{" + srcs + "\"dsts\":[\"ipv4:127.255.255.255\",\"ipv4:128.0.0.1\"]}}");
            assertThat(answer.at("endpoint-cost-map")).isEqualTo("{\"ipv4:127.0.0.1\":{\"ipv4:127.255.255.255\":0}}");
            assertThat(answer.at("meta/vtag")).isEqualTo(client.get("/default").at("meta/vtag"));
        }
        assertThat(ecs(type + "{\"srcs\":[\"ipv6:::1\"]}}").at("endpoint-cost-map"))
                .isEqualTo("{\"ipv6:::1\":{\"ipv4:127.0.0.1\":0}}");
    }

    @Test
    void endpointsAreRanked() {
        assertThat(ecs("{\"cost-type\":{\"cost-mode\":\"ordinal\",\"cost-metric\":\"routingcost\"},\"endpoints\":{\"srcs\":"
                + "[\"ipv4:100.0.0.1\"],\"dsts\":[\"ipv4:135.0.0.1\",\"ipv4:100.0.1.1\",\"ipv4:128.0.0.1\","
                + "\"ipv4:130.0.0.1\",\"ipv4:10.0.0.1\",\"ipv4:100.0.1.1\"]}}").at("endpoint-cost-map"))
                .isEqualTo("{\"ipv4:100.0.0.1\":{\"ipv4:135.0.0.1\":3,\"ipv4:100.0.1.1\":1,\"ipv4:128.0.0.1\":2,"
                        + "\"ipv4:130.0.0.1\":2}}");
    }

    private static void refused(AltoTestCaller.Answer answer, String code, String field, String value) {
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.type()).isEqualTo("application/alto-error+json");
        assertThat(answer.text()).isEqualTo("{\"meta\":{\"code\":\"" + code + "\""
                + (field.isEmpty() ? "" : ",\"field\":\"" + field + "\"")
                + (value.isEmpty() ? "" : ",\"value\":\"" + value + "\"") + "}}");
    }

    private AltoTestCaller.Answer properties(String body) {
        return client.post("/endpoint-properties", "application/alto-endpointpropparams+json", body);
    }

    @Test
    void wrongFieldsOfPropertyRequestsAreNamed() {
        refused(properties("{\"properties\":[\"default.pid\"],\"endpoints\":\"ipv4:1.2.3.4\"}"),
                "E_INVALID_FIELD_TYPE", "endpoints", "");
        refused(properties("{\"endpoints\":[\"ipv4:1.2.3.4\"]}"), "E_MISSING_FIELD", "properties", "");
        refused(properties("{\"properties\":[\"default.pid\"]}"), "E_MISSING_FIELD", "endpoints", "");
        refused(properties("{\"properties\":[\"invaliddefault.pid\"],\"endpoints\":[\"ipv4:1.2.3.4\"]}"),
                "E_INVALID_FIELD_VALUE", "properties", "invaliddefault.pid");
        refused(properties("{\"properties\":[\"default.pid\"],\"endpoints\":[\"ipv4:1.2.3.4\",17]}"),
                "E_INVALID_FIELD_VALUE", "endpoints", "17");
    }

    @ParameterizedTest
    @CsvSource({
        "ipv4:1.2.3.256", "ipv6:2001:db800::", "ipv4:2001:db8::", "ipv6:1.2.3.4", "1.2.3.4", "ipv5:1.2.3.4", "ipv4:",
        "ipv4:1.2.3.4/32", "ipv6:::1::", "ipv4:1.2.3", "mac:01"
    })
    void wrongAddressesAreNamed(String endpoint) {
        refused(properties("{\"properties\":[\"default.pid\"],\"endpoints\":[\"" + endpoint + "\"]}"),
                "E_INVALID_FIELD_VALUE", "endpoints", endpoint);
        refused(ecs("{\"cost-type\":{\"cost-mode\":\"ordinal\",\"cost-metric\":\"routingcost\"},\"endpoints\":{\"srcs\":"
                + "[\"ipv4:1.2.3.4\"],\"dsts\":[\"" + endpoint + "\"]}}"),
                "E_INVALID_FIELD_VALUE", "endpoints/dsts", endpoint);
    }

    @ParameterizedTest
    @CsvSource({"numerical,le 100.0", "ordinal,le 100"})
    void wrongCostTypesAreNamed(String mode, String constraint) {
        String pids = ",\"constraints\":[\"" + constraint + "\"],\"pids\":{\"srcs\":[],\"dsts\":[]}}";
        refused(filtered("default", "{\"cost-type\":{\"cost-mode\":\"" + mode + "\",\"cost-metric\":\"no-such-metric\"}" + pids),
                "E_INVALID_FIELD_VALUE", "cost-type/cost-metric", "no-such-metric");
        refused(filtered("default", "{\"cost-type\":{\"cost-mode\":\"no-such-mode\",\"cost-metric\":\"routingcost\"}" + pids),
                "E_INVALID_FIELD_VALUE", "cost-type/cost-mode", "no-such-mode");
        refused(filtered("default", "{\"cost-type\":{\"cost-mode\":\"" + mode + "\"}" + pids),
                "E_MISSING_FIELD", "cost-type/cost-metric", "");
        refused(filtered("default", "{\"cost-type\":\"" + mode + "\"" + pids), "E_INVALID_FIELD_TYPE", "cost-type", "");
    }

    @ParameterizedTest
    @CsvSource({"ne 100", "le", "le x", "100", "[1] le 5", "[0]", "le 1 2", "LE 5", "le 1e", "le NaN"})
    void wrongConstraintsAreNamed(String constraint) {
        refused(filtered("default", "{\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"routingcost\"},"
                + "\"constraints\":[\"ge 1\",\"" + constraint + "\"],\"pids\":{\"srcs\":[],\"dsts\":[]}}"),
                "E_INVALID_FIELD_VALUE", "constraints", constraint);
    }

    @Test
    void whatIsNotJsonIsToldWithItsPlace() {
        AltoTestCaller.Answer answer =
                properties("{\"properties\":[\"default.pid\"],\"endpoints\":[\"ipv4:1.2.3.4\" \"ipv4:100.131.39.11\"]}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("meta/code")).isEqualTo("\"E_SYNTAX\"");
        assertThat(answer.at("meta/syntax-error")).contains("offset 58");
    }

    @Test
    void typesThatAreNotUnderstoodAreRefused() {
        assertThat(client.get("/default", "accept", "text/html").status()).isEqualTo(406);
        String body = "{\"properties\":[\"default.pid\"],\"endpoints\":[\"ipv4:1.2.3.4\"]}";
        String accepts = "application/alto-endpointpropparams+json";
        assertThat(client.ask("POST", "/endpoint-properties", body, "content-type", accepts, "accept", "text/html").status())
                .isEqualTo(406);
        assertThat(client.ask("POST", "/endpoint-properties", body, "content-type", "text/plain").status()).isEqualTo(415);
        assertThat(client.ask("POST", "/endpoint-properties", body, "content-type", accepts).status()).isEqualTo(200);
    }
}
