package io.guidepost.alto.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.AltoTestTopology;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.TopologyMapBuilder;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.service.AltoDispatcher;
import io.guidepost.alto.service.AltoTestCaller;
import io.guidepost.alto.service.ResourceCatalog;
import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AltoViewTest {
    private static final String COST = "{\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"%s\"},";

    private static AltoSnapshot whole() throws Malformed {
        return TopologyMapBuilder.of(
                AltoTestTopology.ranking(),
                AltoTestTopology.settings(true, CostMetric.of("routingcost"), CostMetric.of("hopcount")));
    }

    private static AltoTestCaller client(String view) throws Malformed {
        AltoView of = AltoView.parse(view);
        AltoSnapshot told = of.of(whole());
        List<AltoResource> resources = of.resources(ResourceCatalog.of(told, InstantSource.system()));
        return new AltoTestCaller(new AltoDispatcher(() -> told, resources, List.of()));
    }

    private static Address address(String text) throws Malformed {
        return Address.parse(text);
    }

    @Test
    void clientsAreInTheBlocksThatAreNamed() throws Exception {
        AltoView view = AltoView.parse(" 10.0.0.0/8 2001:db8::/32\tmetric=hopcount ");
        assertThat(view.isOf(address("10.9.9.9").high(), address("10.9.9.9").low())).isTrue();
        assertThat(view.isOf(address("11.0.0.0").high(), address("11.0.0.0").low())).isFalse();
        assertThat(view.isOf(address("2001:db8::1").high(), address("2001:db8::1").low())).isTrue();
        AltoView allOfIpv6 = AltoView.parse("::/0");
        assertThat(allOfIpv6.isOf(address("10.9.9.9").high(), address("10.9.9.9").low())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "metric=x", "10.0.0.0/33", "10.0.0.0/8 colour=red", "10.0.0.0/8 pid=", "10.0.0.0/8 pid=a*b"})
    void whatIsNoViewIsRefused(String text) {
        assertThatThrownBy(() -> AltoView.parse(text)).isInstanceOf(Malformed.class);
    }

    @Test
    void hiddenMetricsAreAsIfNobodyKnewThem() throws Exception {
        AltoTestCaller client = client("0.0.0.0/0 metric=hopcount");
        assertThat(client.get("/directory").text()).contains("num-hopcount").doesNotContain("routingcost");
        assertThat(client.get("/net-num-routingcost").status()).isEqualTo(404);
        assertThat(client.get("/net-num-hopcount").status()).isEqualTo(200);
        for (String each : List.of("net-costs " + AltoMediaType.COST_MAP_FILTER, "endpoint-costs " + AltoMediaType.ENDPOINT_COST_PARAMS)) {
            String[] of = each.split(" ", -1);
            AltoTestCaller.Answer answer = client.post(
                    "/" + of[0], of[1], COST.formatted("routingcost") + "\"endpoints\":{\"dsts\":[\"ipv4:8.8.8.8\"]}}");
            assertThat(answer.at("meta/field")).isEqualTo("\"cost-type/cost-metric\"");
        }
    }

    @Test
    void hiddenResourcesAndThoseThatUseThemAreNotThere() throws Exception {
        AltoTestCaller costs = client("0.0.0.0/0 resource=net resource=net-num-* resource=endpoint-costs");
        assertThat(costs.get("/net").status()).isEqualTo(200);
        assertThat(costs.get("/net-num-hopcount").status()).isEqualTo(200);
        AltoTestCaller.Answer directory = costs.get("/directory");
        assertThat(directory.at("resources/endpoint-costs")).isNotEmpty();
        for (String each : List.of("net-ord-hopcount", "net-costs", "net-entities", "endpoint-paths", "endpoint-properties")) {
            assertThat(costs.get("/" + each).status()).as(each).isEqualTo(404);
            assertThat(directory.at("resources/" + each)).isEmpty();
        }
        AltoTestCaller without = client("0.0.0.0/0 resource=net-* resource=endpoint-costs");
        assertThat(without.get("/net").status()).isEqualTo(404);
        assertThat(without.get("/net-num-hopcount").status()).isEqualTo(404);
        assertThat(without.get("/directory").text()).doesNotContain("net-", "default-alto-network-map");
    }

    @Test
    void hiddenPidsAreOneOfWhichNothingIsKnown() throws Exception {
        AltoTestCaller client = client("0.0.0.0/0 pid=r-10-0-0-1 pid=out-r-10-0-0-4*");
        assertThat(client.get("/net").at("network-map"))
                .isEqualTo("{\"r-10-0-0-1\":{\"ipv4\":[\"130.149.1.0/24\"]},\"out-r-10-0-0-4@2\":{\"ipv4\":[\"8.8.8.0/24\"]},"
                        + "\"hidden\":{\"ipv4\":[\"0.0.0.0/0\"],\"ipv6\":[\"::/0\"]}}");
        String costs = client.get("/net-num-hopcount").at("cost-map");
        assertThat(costs).contains("\"r-10-0-0-1\":{\"r-10-0-0-1\":0,\"out-r-10-0-0-4@2\":5}").doesNotContain("hidden");
        String all = "\"ipv4:8.8.8.8\",\"ipv4:9.9.9.9\",\"ipv4:130.149.2.1\",\"ipv6:2001:db8::1\"";
        assertThat(client.post("/endpoint-costs", AltoMediaType.ENDPOINT_COST_PARAMS, COST.formatted("hopcount")
                        + "\"endpoints\":{\"srcs\":[\"ipv4:130.149.1.9\"],\"dsts\":[" + all + "]}}").at("endpoint-cost-map"))
                .isEqualTo("{\"ipv4:130.149.1.9\":{\"ipv4:8.8.8.8\":5}}");
        assertThat(client.post("/endpoint-costs", AltoMediaType.ENDPOINT_COST_PARAMS, COST.formatted("hopcount")
                        + "\"endpoints\":{\"srcs\":[\"ipv4:130.149.2.1\"],\"dsts\":[" + all + "]}}").at("endpoint-cost-map"))
                .isEqualTo("{}");
        assertThat(client.post("/endpoint-properties", AltoMediaType.ENDPOINT_PROPERTY_PARAMS,
                        "{\"properties\":[\"net.pid\",\"asn\"],\"endpoints\":[" + all + "]}").at("endpoint-properties"))
                .isEqualTo("{\"ipv4:8.8.8.8\":{\"net.pid\":\"out-r-10-0-0-4@2\",\"asn\":\"15169\"},"
                        + "\"ipv4:9.9.9.9\":{\"net.pid\":\"hidden\"},\"ipv4:130.149.2.1\":{\"net.pid\":\"hidden\"},"
                        + "\"ipv6:2001:db8::1\":{\"net.pid\":\"hidden\"}}");
        assertThat(client.get("/net-properties").text()).doesNotContain("r-10-0-0-2", "r-10-0-0-3");
        String path = "{\"cost-type\":{\"cost-mode\":\"array\",\"cost-metric\":\"ane-path\"},";
        assertThat(client.post("/endpoint-paths", AltoMediaType.ENDPOINT_COST_PARAMS, path
                        + "\"endpoints\":{\"srcs\":[\"ipv4:130.149.1.9\"],\"dsts\":[\"ipv4:130.149.2.1\"]}}").text())
                .contains("\"endpoint-cost-map\":{}");
        assertThat(client.post("/net-paths", AltoMediaType.COST_MAP_FILTER, path + "\"pids\":{}}").text())
                .contains("\"out-r-10-0-0-4@2\":[").doesNotContain("hidden\":[");
    }

    @Test
    void eachAddressIsInItsPidOrInTheHiddenOne() throws Exception {
        AltoSnapshot whole = whole();
        NetworkMap all = whole.maps().getFirst();
        Random random = new Random(8895);
        for (int round = 0; round < 50; round++) {
            StringBuilder view = new StringBuilder("0.0.0.0/0 pid=none");
            List<String> told = all.pids().stream().filter(_ -> random.nextBoolean()).toList();
            told.forEach(each -> view.append(" pid=").append(each));
            NetworkMap some = AltoView.parse(view.toString()).of(whole).maps().getFirst();
            NetworkMap.Builder blocks = new NetworkMap.Builder("told", some.pids());
            some.forEachBlock((block, pid) -> blocks.add(pid, block));
            NetworkMap again = blocks.build();
            for (int i = 0; i < 200; i++) {
                Address address = switch (random.nextInt(3)) {
                    case 0 -> address("130.149." + random.nextInt(4) + "." + random.nextInt(256));
                    case 1 -> address("8.8." + (7 + random.nextInt(3)) + ".1");
                    default -> address(random.nextBoolean() ? "2001:db8::1" : "200.0.0.1");
                };
                String is = all.pids().get(all.pid(address));
                String expected = told.contains(is) ? is : AltoView.HIDDEN;
                assertThat(some.pids().get(some.pid(address))).isEqualTo(expected);
                assertThat(some.pids().get(again.pid(address))).isEqualTo(expected);
            }
        }
    }
}
