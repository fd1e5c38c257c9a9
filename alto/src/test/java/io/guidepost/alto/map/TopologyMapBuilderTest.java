package io.guidepost.alto.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.AltoTestTopology;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.cost.CostTable;
import io.guidepost.alto.endpoint.EndpointCosts;
import io.guidepost.alto.map.TopologyMapBuilder.Settings;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.service.AltoDispatcher;
import io.guidepost.alto.service.AltoTestCaller;
import io.guidepost.alto.service.ResourceCatalog;
import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.ranking.RankingFunctions;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is told of a topology small enough to work out by hand, and of random ones. */
class TopologyMapBuilderTest {
    private static final long SEED = 11;

    private static final Settings OPEN = AltoTestTopology.settings(
            true, CostMetric.of("routingcost"), CostMetric.of("hopcount"), CostMetric.of("delay-ow"),
            CostMetric.of("bw-available"));

    private static AltoTestCaller client(AltoSnapshot information) throws Exception {
        return new AltoTestCaller(
                new AltoDispatcher(() -> information, ResourceCatalog.of(information, InstantSource.system()), List.of()),
                InetAddress.ofLiteral("130.149.1.5"));
    }

    private static String ecs(String mode, String metric, String... to) {
        return "{\"cost-type\":{\"cost-mode\":\"" + mode + "\",\"cost-metric\":\"" + metric
                + "\"},\"endpoints\":{\"srcs\":[\"ipv4:130.149.1.9\"],\"dsts\":[\"" + String.join("\",\"", to) + "\"]}}";
    }

    @Test
    void thereIsOnePidForEachRouterAndOneForEachWayOut() throws Exception {
        AltoTestCaller client = client(TopologyMapBuilder.of(AltoTestTopology.ranking(), AltoTestTopology.HIDDEN));
        assertThat(client.get("/net").at("network-map"))
                .isEqualTo("{\"in-kccuginn\":{\"ipv4\":[\"130.149.1.0/24\"]},\"in-wr6ka5k4\":{\"ipv4\":[\"130.149.2.0/24\"]},"
                        + "\"out-lrxxr4gz\":{\"ipv6\":[\"2001:db8::/32\"]},\"out-qd26j5i4\":{\"ipv4\":[\"8.8.8.0/24\"]},"
                        + "\"out-yxrqziht\":{\"ipv4\":[\"0.0.0.0/1\"]},"
                        + "\"elsewhere\":{\"ipv4\":[\"0.0.0.0/0\"],\"ipv6\":[\"::/0\"]}}");
        // 8 AS distance + hops / 2 + 10 / bandwidth
        assertThat(client.get("/net-num-routingcost").at("cost-map/in-kccuginn"))
                .isEqualTo("{\"in-kccuginn\":0,\"in-wr6ka5k4\":0.6,\"out-lrxxr4gz\":8.6,\"out-qd26j5i4\":18.5,\"out-yxrqziht\":41.1}");
        assertThat(client.post("/net-costs", "application/alto-costmapfilter+json",
                        "{\"cost-type\":{\"cost-mode\":\"ordinal\",\"cost-metric\":\"routingcost\"},"
                                + "\"pids\":{\"srcs\":[\"in-kccuginn\"],\"dsts\":[]}}").at("cost-map"))
                .isEqualTo("{\"in-kccuginn\":{\"in-kccuginn\":1,\"in-wr6ka5k4\":2,"
                        + "\"out-lrxxr4gz\":3,\"out-qd26j5i4\":4,\"out-yxrqziht\":5}}");
    }

    @Test
    void metricsAreToldInTheUnitsOfTheStandard() throws Exception {
        AltoTestCaller client = client(TopologyMapBuilder.of(AltoTestTopology.ranking(), OPEN));
        assertThat(client.get("/net-num-hopcount").at("cost-map/r-10-0-0-1"))
                .isEqualTo("{\"r-10-0-0-1\":0,\"r-10-0-0-2\":1,\"out-r-10-0-0-2@1\":2,\"out-r-10-0-0-3@5\":7,\"out-r-10-0-0-4@2\":5}");
        assertThat(client.get("/net-num-delay-ow").at("cost-map/r-10-0-0-1"))
                .isEqualTo("{\"r-10-0-0-1\":0,\"r-10-0-0-2\":2000,\"out-r-10-0-0-2@1\":2000,"
                        + "\"out-r-10-0-0-3@5\":4000,\"out-r-10-0-0-4@2\":6000}");
        // At one router no link is a bound, and there is no number for that.
        assertThat(client.get("/net-num-bw-available").at("cost-map/r-10-0-0-1"))
                .isEqualTo("{\"r-10-0-0-2\":12500000,\"out-r-10-0-0-2@1\":12500000,"
                        + "\"out-r-10-0-0-3@5\":12500000,\"out-r-10-0-0-4@2\":1250000}");
        assertThat(client.get("/net-ord-bw-available").at("cost-map/r-10-0-0-1"))
                .isEqualTo("{\"r-10-0-0-2\":1,\"out-r-10-0-0-2@1\":1,\"out-r-10-0-0-3@5\":1,\"out-r-10-0-0-4@2\":2}");
    }

    @Test
    void whatIsHiddenStaysHidden() throws Exception {
        AltoTestCaller client = client(TopologyMapBuilder.of(AltoTestTopology.ranking(), AltoTestTopology.HIDDEN));
        StringBuilder all = new StringBuilder(client.get("/directory").text());
        for (String path : List.of("/net", "/net-num-routingcost", "/net-ord-routingcost", "/net-properties")) {
            assertThat(client.get(path).status()).as(path).isEqualTo(200);
            all.append(client.get(path).text());
        }
        all.append(client.post("/endpoint-costs", "application/alto-endpointcostparams+json",
                ecs("numerical", "routingcost", "ipv4:8.8.8.8", "ipv4:10.0.0.2")).text());
        assertThat(all.toString().replace("ipv4:10.0.0.2\":", "")).doesNotContain("10.0.0.", "10-0-0", "192.168.", "hopcount",
                "delay", "bw-", "asn", "path");
        for (String path : List.of("/net-num-hopcount", "/net-paths", "/endpoint-paths")) {
            assertThat(client.get(path).status()).as(path).isEqualTo(404);
        }
        assertThat(client.post("/endpoint-costs", "application/alto-endpointcostparams+json",
                        ecs("numerical", "hopcount", "ipv4:8.8.8.8")).at("meta/field"))
                .isEqualTo("\"cost-type/cost-metric\"");
    }

    @Test
    void endpointsAreRankedAsTheRankingDoes() throws Exception {
        AltoTestCaller client = client(TopologyMapBuilder.of(AltoTestTopology.ranking(), AltoTestTopology.HIDDEN));
        assertThat(client.post("/endpoint-costs", "application/alto-endpointcostparams+json",
                        ecs("ordinal", "routingcost", "ipv4:9.9.9.9", "ipv4:8.8.8.8", "ipv6:2001:db8::1", "ipv4:130.149.2.200",
                                "ipv4:200.0.0.1", "ipv4:9.1.1.1"))
                        .at("endpoint-cost-map/ipv4:130.149.1.9"))
                .isEqualTo("{\"ipv4:9.9.9.9\":4,\"ipv4:8.8.8.8\":3,\"ipv6:2001:db8::1\":2,\"ipv4:130.149.2.200\":1,"
                        + "\"ipv4:9.1.1.1\":4}");
        assertThat(client.post("/endpoint-costs", "application/alto-endpointcostparams+json",
                        "{\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"routingcost\"},"
                                + "\"endpoints\":{\"dsts\":[\"ipv4:8.8.8.8\"]}}").at("endpoint-cost-map"))
                .isEqualTo("{\"ipv4:130.149.1.5\":{\"ipv4:8.8.8.8\":18.5}}");
    }

    @Test
    void waysAreToldByNumbersAndTheirWidth() throws Exception {
        AltoTestCaller client = client(TopologyMapBuilder.of(AltoTestTopology.ranking(), OPEN));
        AltoTestCaller.Answer answer = client.post("/endpoint-paths", "application/alto-endpointcostparams+json",
                "{\"cost-type\":{\"cost-mode\":\"array\",\"cost-metric\":\"ane-path\"},\"endpoint-flows\":[{\"srcs\":"
                        + "[\"ipv4:130.149.1.9\"],\"dsts\":[\"ipv4:8.8.8.8\",\"ipv6:2001:db8::1\",\"ipv4:200.0.0.1\"]}],"
                        + "\"ane-property-names\":[\"max-reservable-bandwidth\",\"persistent-entity-id\"]}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        String boundary = answer.type().replaceAll(".*boundary=([^;]+);.*", "$1");
        assertThat(answer.type())
                .isEqualTo("multipart/related;boundary=" + boundary + ";type=application/alto-endpointcost+json");
        String[] parts = answer.text().split("--" + boundary, -1);
        assertThat(parts).hasSize(4);
        assertThat(parts[0]).isEmpty();
        assertThat(parts[3]).isEqualTo("--\r\n");
        assertThat(parts[1]).startsWith("\r\nContent-ID: <ecs@endpoint-paths.alto>\r\n"
                + "Content-Type: application/alto-endpointcost+json\r\n\r\n{");
        AltoTestCaller.Answer first = new AltoTestCaller.Answer(200, "", parts[1].substring(parts[1].indexOf('{')).strip());
        assertThat(first.at("endpoint-cost-map/ipv4:130.149.1.9"))
                .isEqualTo("{\"ipv4:8.8.8.8\":[\"e1\",\"e2\",\"e3\",\"e4\",\"e5\",\"e6\",\"e7\"],"
                        + "\"ipv6:2001:db8::1\":[\"e1\",\"e2\",\"e3\"]}");
        AltoTestCaller.Answer second = new AltoTestCaller.Answer(200, "", parts[2].substring(parts[2].indexOf('{')).strip());
        assertThat(second.at("meta/dependent-vtags"))
                .isEqualTo("[" + first.at("meta/vtag") + "," + client.get("/net").at("meta/vtag") + "]");
        assertThat(second.at("property-map"))
                .isEqualTo("{\".ane:e1\":{\"persistent-entity-id\":\"ipv4:10.0.0.1\"},"
                        + "\".ane:e2\":{\"max-reservable-bandwidth\":100000000},"
                        + "\".ane:e3\":{\"persistent-entity-id\":\"ipv4:10.0.0.2\"},"
                        + "\".ane:e4\":{\"max-reservable-bandwidth\":100000000},"
                        + "\".ane:e5\":{\"persistent-entity-id\":\"ipv4:10.0.0.3\"},"
                        + "\".ane:e6\":{\"max-reservable-bandwidth\":10000000},"
                        + "\".ane:e7\":{\"persistent-entity-id\":\"ipv4:10.0.0.4\"}}");
        AltoTestCaller.Answer map = client.post("/net-paths", "application/alto-costmapfilter+json",
                "{\"cost-type\":{\"cost-mode\":\"array\",\"cost-metric\":\"ane-path\"},"
                        + "\"pids\":{\"srcs\":[\"r-10-0-0-2\"],\"dsts\":[\"out-r-10-0-0-2@1\",\"elsewhere\",\"out-r-10-0-0-3@5\"]}}");
        assertThat(map.text()).contains("\"cost-map\":{\"r-10-0-0-2\":{\"out-r-10-0-0-2@1\":[\"e1\"],"
                        + "\"out-r-10-0-0-3@5\":[\"e1\",\"e2\",\"e3\"]}}",
                "\"dependent-vtags\":[" + client.get("/net").at("meta/vtag") + "]",
                "\"property-map\":{\".ane:e1\":{},\".ane:e2\":{},\".ane:e3\":{}}");
    }

    @Test
    void waysAreAskedForInTheirOwnWords() throws Exception {
        AltoTestCaller client = client(TopologyMapBuilder.of(AltoTestTopology.ranking(), OPEN));
        String ends = ",\"endpoints\":{\"dsts\":[\"ipv4:8.8.8.8\"]}";
        String type = "{\"cost-type\":{\"cost-mode\":\"array\",\"cost-metric\":\"ane-path\"}";
        String accepts = "application/alto-endpointcostparams+json";
        assertThat(client.post("/endpoint-paths", accepts, type + ends + "}").status()).isEqualTo(200);
        assertThat(client.post("/endpoint-paths", accepts, type + ends + ",\"constraints\":[\"le 5\"]}").at("meta/field"))
                .isEqualTo("\"constraints\"");
        assertThat(client.post("/endpoint-paths", accepts, type + ends + ",\"ane-property-names\":[\"colour\"]}").at("meta"))
                .isEqualTo("{\"code\":\"E_INVALID_FIELD_VALUE\",\"field\":\"ane-property-names\",\"value\":\"colour\"}");
        assertThat(client.post("/endpoint-paths", accepts, type.replace("array", "numerical") + ends + "}").at("meta/field"))
                .isEqualTo("\"cost-type/cost-mode\"");
        assertThat(client.post("/endpoint-costs", accepts, type + ends + "}").at("meta/field"))
                .isEqualTo("\"cost-type/cost-metric\"");
    }

    @Test
    void propertiesAreInheritedFromTheLongestBlock() throws Exception {
        AltoTestCaller client = client(TopologyMapBuilder.of(AltoTestTopology.ranking(), OPEN));
        assertThat(client.get("/net-properties").at("property-map"))
                .startsWith("{\"ipv4:130.149.1.0/24\":{\"net.pid\":\"r-10-0-0-1\"},")
                .contains("\"ipv4:8.8.8.0/24\":{\"net.pid\":\"out-r-10-0-0-4@2\"}", "\"ipv6:::/0\":{\"net.pid\":\"elsewhere\"}");
        String accepts = "application/alto-propmapparams+json";
        assertThat(client.post("/net-entities", accepts, "{\"entities\":[\"ipv4:8.8.8.8\",\"ipv4:8.8.8.0/23\","
                        + "\"ipv4:8.8.8.128/25\",\"ipv6:::1\",\"ipv4:130.149.2.128/25\"]}").at("property-map"))
                .isEqualTo("{\"ipv4:8.8.8.8\":{\"net.pid\":\"out-r-10-0-0-4@2\",\".asn\":\"15169\"},"
                        + "\"ipv4:8.8.8.0/23\":{\"net.pid\":\"out-r-10-0-0-3@5\"},"
                        + "\"ipv4:8.8.8.128/25\":{\"net.pid\":\"out-r-10-0-0-4@2\",\".asn\":\"15169\"},"
                        + "\"ipv6:::1\":{\"net.pid\":\"elsewhere\"},"
                        + "\"ipv4:130.149.2.128/25\":{\"net.pid\":\"r-10-0-0-2\"}}");
        assertThat(client.post("/net-entities", accepts, "{\"entities\":[\"ipv4:8.8.8.8\"],\"properties\":[\".asn\"]}")
                        .at("property-map"))
                .isEqualTo("{\"ipv4:8.8.8.8\":{\".asn\":\"15169\"}}");
        assertThat(client.post("/net-entities", accepts, "{\"entities\":[\"ipv4:8.8.8.8/33\"]}").at("meta/field"))
                .isEqualTo("\"entities\"");
        assertThat(client.post("/net-entities", accepts, "{\"entities\":[\"car:1\"]}").at("meta/value")).isEqualTo("\"car:1\"");
        assertThat(client.post("/net-entities", accepts, "{\"entities\":[],\"properties\":[\"asn\"]}").at("meta/field"))
                .isEqualTo("\"properties\"");
        assertThat(client.post("/endpoint-properties", "application/alto-endpointpropparams+json",
                        "{\"properties\":[\"asn\",\"net.pid\"],\"endpoints\":[\"ipv4:8.8.8.8\"]}").at("endpoint-properties"))
                .isEqualTo("{\"ipv4:8.8.8.8\":{\"asn\":\"15169\",\"net.pid\":\"out-r-10-0-0-4@2\"}}");
    }

    @Test
    void equalContentHasAnEqualTag() throws Exception {
        OperatorNetwork network = AltoTestTopology.network();
        AltoSnapshot first = TopologyMapBuilder.of(Ranking.of(network, RankingFunction.STANDARD, 1), AltoTestTopology.HIDDEN);
        AltoSnapshot second = TopologyMapBuilder.of(Ranking.of(network, RankingFunction.STANDARD, 2), AltoTestTopology.HIDDEN);
        network.add(Prefix.parse("12.0.0.0/8"), PrefixAttachment.internal(Address.parse("10.0.0.1"), 3));
        AltoSnapshot third = TopologyMapBuilder.of(Ranking.of(network, RankingFunction.STANDARD, 3), AltoTestTopology.HIDDEN);
        assertThat(second.version()).isEqualTo(2);
        assertThat(second.maps().getFirst().tag()).isEqualTo(first.maps().getFirst().tag());
        assertThat(third.maps().getFirst().tag()).isNotEqualTo(first.maps().getFirst().tag());
    }

    @Test
    void theBlocksThatAreToldSayTheSameAsTheLookUp() throws Exception {
        Random random = new Random(SEED);
        OperatorNetwork network = new OperatorNetwork();
        network.topology(AltoTestTopology.network().topology());
        for (int i = 0; i < 3000; i++) {
            Address router = Address.parse("10.0.0." + (1 + random.nextInt(4)));
            Prefix prefix = random.nextInt(4) == 0
                    ? new Prefix(0x2001_0db8L << 32 | random.nextInt(64), 0, random.nextInt(65))
                    : Prefix.ofIpv4(random.nextInt(1 << 12) << 20 | random.nextInt(1 << 8), random.nextInt(33));
            network.add(prefix, random.nextBoolean()
                    ? PrefixAttachment.internal(router, 3)
                    : PrefixAttachment.external(router, 3, random.nextInt(5), random.nextInt(3)));
        }
        NetworkMap map = TopologyMapBuilder.of(Ranking.of(network, RankingFunction.STANDARD, 1), AltoTestTopology.HIDDEN).maps().getFirst();
        NetworkMap.Builder told = new NetworkMap.Builder("told", map.pids());
        for (int pid = 0; pid < map.pids().size(); pid++) {
            int each = pid;
            map.forEachBlock(pid, block -> told.add(each, block));
        }
        NetworkMap again = told.build();
        for (int i = 0; i < 20_000; i++) {
            Address address = random.nextInt(4) == 0
                    ? new Address(0x2001_0db8L << 32 | random.nextInt(64), random.nextInt())
                    : Address.ofIpv4(random.nextInt(1 << 12) << 20 | random.nextInt(1 << 8));
            int pid = map.pid(address);
            assertThat(again.pid(address)).as(address.toString()).isEqualTo(pid);
            assertThat(map.pid(address.prefix())).as(address.toString()).isEqualTo(pid);
            assertThat(again.pid(address.prefix())).as(address.toString()).isEqualTo(pid);
        }
    }

    /** RFC 7285 section 5.1: the members of a PID have the costs that the map tells of it, whatever the ranking function sees. */
    @Test
    void theCostMapSaysWhatTheEndpointCostServiceSays() throws Exception {
        List<RankingFunction> functions = List.of(
                RankingFunction.STANDARD, RankingFunctions.of("hops"), RankingFunctions.of("oracle", Map.of(3L, 10.0, 4L, 50.0)),
                RankingFunctions.of("hops + if(asnumber == 2, 7, asdistance)"),
                RankingFunctions.of("8*asdistance + asnumber", Map.of(1L, -3.0)));
        Random random = new Random(SEED);
        for (int run = 0; run < 100; run++) {
            OperatorNetwork network = new OperatorNetwork();
            network.topology(AltoTestTopology.network().topology());
            for (int i = random.nextInt(40); i >= 0; i--) {
                Prefix prefix = Prefix.ofIpv4(random.nextInt(64) << 26 | random.nextInt(4) << 16, random.nextInt(2, 25));
                for (int exits = random.nextInt(3); exits >= 0; exits--) {
                    Address router = Address.parse("10.0.0." + (1 + random.nextInt(4)));
                    network.add(prefix, random.nextInt(3) == 0
                            ? PrefixAttachment.internal(router, 3)
                            : PrefixAttachment.external(router, 3, random.nextInt(5), random.nextInt(3)));
                }
            }
            RankingFunction function = functions.get(run % functions.size());
            AltoSnapshot told = TopologyMapBuilder.of(Ranking.of(network, function, 1), OPEN);
            NetworkMap map = told.maps().getFirst();
            for (int i = 0; i < 200; i++) {
                Address from = Address.ofIpv4(random.nextInt(64) << 26 | random.nextInt(4) << 16);
                Address to = Address.ofIpv4(random.nextInt(64) << 26 | random.nextInt(4) << 16);
                EndpointCosts endpoints = told.endpoints();
                for (String metric : List.of("routingcost", "hopcount", "delay-ow", "bw-available")) {
                    double exact = endpoints.cost(
                            metric, endpoints.place(from.high(), from.low()), endpoints.place(to.high(), to.low()));
                    CostTable costs = told.costs(TopologyMapBuilder.MAP, metric).orElseThrow();
                    assertThat(Double.valueOf(costs.cost(map.pid(from), map.pid(to))))
                            .as("%s by %s, run %d: %s to %s", metric, function.name(), run, from, to)
                            .isEqualTo(Double.valueOf(exact));
                }
            }
        }
    }

    /** A function that tells each AS apart gives more PIDs than a map may have: then no costs are told, rather than wrong ones. */
    @Test
    void withTooManyAsNumbersThereIsNoCostMap() throws Exception {
        OperatorNetwork network = AltoTestTopology.network();
        for (int as = 1; as <= AltoLimits.PIDS_MAX; as++) {
            network.add(Prefix.ofIpv4(20 << 24 | as << 8, 24), PrefixAttachment.external(Address.parse("10.0.0.3"), 3, 100_000 + as, 1));
        }
        Ranking ranking = Ranking.of(network, RankingFunctions.of("asnumber"), 1);
        AltoTestCaller client = client(TopologyMapBuilder.of(ranking, AltoTestTopology.HIDDEN));
        assertThat(client.get("/net-num-routingcost").status()).isEqualTo(404);
        assertThat(client.post("/endpoint-costs", "application/alto-endpointcostparams+json",
                        ecs("numerical", "routingcost", "ipv4:20.0.1.1")).at("endpoint-cost-map/ipv4:130.149.1.9"))
                .isEqualTo("{\"ipv4:20.0.1.1\":100001}");
    }

    @Test
    void unknownMetricsAreRefused() {
        assertThatThrownBy(() -> AltoTestTopology.settings(false, CostMetric.of("colour")))
                .hasMessageContaining("colour");
        assertThat(TopologyMapBuilder.metrics()).contains("hopcount", "delay-ow");
    }

    @Test
    void anEmptyTopologyIsTold() throws Exception {
        AltoTestCaller client = client(TopologyMapBuilder.of(Ranking.EMPTY, AltoTestTopology.HIDDEN));
        assertThat(client.get("/net").at("network-map"))
                .isEqualTo("{\"elsewhere\":{\"ipv4\":[\"0.0.0.0/0\"],\"ipv6\":[\"::/0\"]}}");
        assertThat(client.get("/net-num-routingcost").at("cost-map")).isEqualTo("{}");
    }
}
