package io.guidepost.alto.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.AltoTestTopology;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.map.TopologyMapBuilder;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.protocol.EndpointAddress;
import io.guidepost.alto.service.AltoDispatcher;
import io.guidepost.alto.service.AltoTestCaller;
import io.guidepost.alto.service.ResourceCatalog;
import io.guidepost.base.Address;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The short way says what the long way says; and no request of any resource makes more than an error. */
class EndpointCostFastPathTest {
    private static final long SEED = 7285;
    private static final Address CALLER = Address.ofIpv4(0x0a000001);

    private AltoSnapshot information = AltoSnapshot.EMPTY;
    private EndpointCostFastPath quick = new EndpointCostFastPath(List.of());
    private EndpointCostResource resource =
            new EndpointCostResource("x", List.of(), InstantSource.system());

    @BeforeEach
    void load() throws Exception {
        List<CostMetric> metrics = List.of(CostMetric.of("routingcost"), CostMetric.of("hopcount"), CostMetric.of("tput"));
        information = TopologyMapBuilder.of(
                AltoTestTopology.ranking(), AltoTestTopology.settings(true, metrics.toArray(CostMetric[]::new)));
        quick = new EndpointCostFastPath(metrics);
        resource = new EndpointCostResource("x", metrics, InstantSource.system());
    }

    private static String address(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> "ipv4:130.149." + random.nextInt(4) + "." + random.nextInt(256);
            case 1 -> "ipv4:8.8.8." + random.nextInt(4);
            case 2 -> "ipv6:2001:db8::" + Integer.toHexString(random.nextInt(65536));
            case 3 -> "ipv6:2001:DB8:0:0::" + Integer.toHexString(random.nextInt(16));
            default -> EndpointAddress.of(Address.ofIpv4(random.nextInt()));
        };
    }

    private static String request(Random random, int destinations) {
        List<String> to = new ArrayList<>();
        for (int i = 0; i < destinations; i++) {
            to.add('"' + address(random) + '"');
        }
        String mode = random.nextBoolean() ? "ordinal" : "numerical";
        String metric = List.of("routingcost", "hopcount", "tput").get(random.nextInt(3));
        String type = random.nextBoolean()
                ? "\"cost-type\":{\"cost-mode\":\"" + mode + "\",\"cost-metric\":\"" + metric + "\"}"
                : "\"cost-type\" : {\n\"cost-metric\": \"" + metric + "\",\"cost-mode\":\"" + mode + "\" }";
        String self = random.nextBoolean() ? "\"endpoints\":{" : "\"endpoints\":{\"srcs\":[ ],";
        String ends = random.nextInt(4) == 0
                ? self + "\"dsts\":[" + String.join(",", to) + "]}"
                : random.nextBoolean()
                ? "\"endpoints\":{\"srcs\":[\"" + address(random) + "\"],\"dsts\":[" + String.join(",", to) + "]}"
                : "\"endpoints\":{ \"dsts\" : [" + String.join(" ,\t", to) + "], \"srcs\":[ \"" + address(random) + "\" ]}";
        return random.nextBoolean() ? "{" + type + "," + ends + "}" : " {" + ends + " , " + type + "}\n";
    }

    @Test
    void bothWaysSayTheSame() throws Exception {
        Random random = new Random(SEED);
        for (int i = 0; i < 500; i++) {
            byte[] input = request(random, 1 + random.nextInt(300)).getBytes(StandardCharsets.UTF_8);
            Optional<byte[]> quickly = quick.answer(information, input, CALLER);
            assertThat(quickly).as(new String(input, StandardCharsets.UTF_8)).isPresent();
            assertThat(new String(quickly.get(), StandardCharsets.UTF_8))
                    .isEqualTo(new String(resource.explained(information, input, CALLER), StandardCharsets.UTF_8));
        }
    }

    @Test
    void theShortWayTakesNothingThatTheLongWayRefuses() {
        Random random = new Random(SEED);
        int taken = 0;
        for (int i = 0; i < 8_000; i++) {
            byte[] input = changed(random, request(random, 1 + random.nextInt(4)));
            Optional<byte[]> quickly = quick.answer(information, input, CALLER);
            if (quickly.isPresent()) {
                taken++;
                try {
                    assertThat(new String(quickly.get(), StandardCharsets.UTF_8))
                            .isEqualTo(new String(resource.explained(information, input, CALLER), StandardCharsets.UTF_8));
                } catch (AltoError e) {
                    throw new AssertionError(new String(input, StandardCharsets.UTF_8), e);
                }
            }
        }
        assertThat(taken).isGreaterThan(1000);
    }

    private static byte[] changed(Random random, String text) {
        StringBuilder changed = new StringBuilder(text);
        String letters = "{}[]\",:\\ \n0a1fnut.e+-/\u00e9\u0000";
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(changed.length());
            char letter = letters.charAt(random.nextInt(letters.length()));
            switch (random.nextInt(4)) {
                case 0 -> changed.insert(at, letter);
                case 1 -> changed.setCharAt(at, letter);
                case 2 -> changed.deleteCharAt(at);
                default -> changed.insert(at, changed.substring(at, Math.min(changed.length(), at + random.nextInt(30))));
            }
            if (changed.isEmpty()) {
                changed.append('{');
            }
        }
        return changed.toString().getBytes(random.nextInt(10) == 0 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }

    @Test
    void ordinalCostsAreTheOrderOfTheRanking() {
        Random random = new Random(SEED);
        var ranking = information.ranking().orElseThrow();
        for (int round = 0; round < 200; round++) {
            List<String> to = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                to.add(address(random));
            }
            String body = "{\"cost-type\":{\"cost-mode\":\"ordinal\",\"cost-metric\":\"routingcost\"},\"endpoints\":{\"srcs\":"
                    + "[\"ipv4:130.149.1.1\"],\"dsts\":[\"" + String.join("\",\"", to) + "\"]}}";
            Address from = EndpointAddress.parse("ipv4:130.149.1.1").orElseThrow();
            char[] ranks = ranking.ranks(ranking.source(ranking.place(from.high(), from.low())));
            TreeSet<Integer> known = new TreeSet<>();
            Map<String, Integer> expected = new HashMap<>();
            Map<Address, String> first = new HashMap<>();
            for (String each : to) {
                Address address = EndpointAddress.parse(each).orElseThrow();
                char rank = ranks[ranking.place(address.high(), address.low())];
                if (rank != io.guidepost.proximity.ranking.Ranking.UNRANKED && first.putIfAbsent(address, each) == null) {
                    known.add((int) rank);
                    expected.put(each, (int) rank);
                }
            }
            expected.replaceAll((_, rank) -> 1 + known.headSet(rank).size());
            Map<String, Integer> told = new HashMap<>();
            var map = AltoTestCaller.read(new String(
                    quick.answer(information, body.getBytes(StandardCharsets.UTF_8), CALLER).orElseThrow(), StandardCharsets.UTF_8));
            String text = new AltoTestCaller.Answer(200, "", AltoTestCaller.written(map)).at("endpoint-cost-map/ipv4:130.149.1.1");
            for (String each : text.isEmpty() ? new String[0] : text.substring(1, text.length() - 1).split(",", -1)) {
                int colon = each.lastIndexOf(':');
                told.put(each.substring(1, colon - 1), Integer.parseInt(each.substring(colon + 1)));
            }
            assertThat(told).isEqualTo(expected);
        }
    }

    private static final List<String> SEEDS = List.of(
            "{\"pids\":[\"r-10-0-0-1\",\"elsewhere\"],\"address-types\":[\"ipv4\"]}",
            "{\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"routingcost\"},\"constraints\":[\"ge 1\",\"le 20\"],"
                    + "\"calendared\":[true],\"pids\":{\"srcs\":[\"r-10-0-0-1\"],\"dsts\":[]}}",
            "{\"multi-cost-types\":[{\"cost-mode\":\"ordinal\",\"cost-metric\":\"hopcount\"}],\"testable-cost-types\":[{"
                    + "\"cost-mode\":\"numerical\",\"cost-metric\":\"tput\"}],\"or-constraints\":[[\"[0] ge 1\"],[]],"
                    + "\"endpoints\":{\"srcs\":[],\"dsts\":[\"ipv4:8.8.8.8\"]}}",
            "{\"properties\":[\"net.pid\",\"asn\"],\"endpoints\":[\"ipv4:8.8.8.8\",\"ipv6:2001:db8::1\"]}",
            "{\"entities\":[\"ipv4:8.8.8.0/24\",\"ipv6:::1\",\"net.pid:elsewhere\"],\"properties\":[\".asn\",\"net.pid\"]}",
            "{\"cost-type\":{\"cost-mode\":\"array\",\"cost-metric\":\"ane-path\"},\"endpoint-flows\":[{\"srcs\":[\"ipv4:130.149.1.1\""
                    + "],\"dsts\":[\"ipv4:8.8.8.8\"]}],\"ane-property-names\":[\"max-reservable-bandwidth\"]}",
            "{\"cost-type\":{\"cost-mode\":\"array\",\"cost-metric\":\"ane-path\"},\"pids\":{\"srcs\":[],\"dsts\":[\"elsewhere\"]}}",
            "{\"cost-type\":{\"cost-mode\":\"ordinal\",\"cost-metric\":\"routingcost\"},\"endpoints\":{\"srcs\":[\"ipv4:130.149.1.1\"],"
                    + "\"dsts\":[\"ipv4:8.8.8.8\",\"ipv6:2001:db8::1\"]}}");

    @Test
    void noRequestMakesMoreThanAnError() {
        fuzz(1500);
    }

    @Test
    @Tag("long")
    void noRequestOfManyMakesMoreThanAnError() {
        fuzz(200_000);
    }

    private void fuzz(int rounds) {
        List<AltoResource> resources = ResourceCatalog.of(information, InstantSource.system()).stream()
                .filter(each -> each.accepts().isPresent())
                .toList();
        AltoTestCaller client = AltoTestCaller.anything(new AltoDispatcher(() -> information, resources, List.of()));
        Random random = new Random(SEED);
        int answered = 0;
        for (int i = 0; i < rounds; i++) {
            String body = new String(
                    changed(random, SEEDS.get(random.nextInt(SEEDS.size()))), StandardCharsets.ISO_8859_1);
            for (AltoResource each : resources) {
                AltoTestCaller.Answer answer = client.post("/" + each.id(), each.accepts().orElseThrow(), body);
                if (answer.status() == 200) {
                    answered++;
                } else {
                    assertThat(answer.status()).as(body).isEqualTo(400);
                    assertThat(answer.type()).isEqualTo(AltoMediaType.ERROR);
                    assertThat(answer.at("meta/code")).as(body).startsWith("\"E_");
                }
            }
        }
        assertThat(answered).isGreaterThan(rounds / 4);
    }
}
