package io.guidepost.alto.service;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.AltoTestTopology;
import io.guidepost.alto.client.AltoSample;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.map.TopologyMapBuilder;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Inputs of ALTO in JSON, of a network told in files and of a topology, for {@code ./guidepost fuzz}. */
public final class AltoInputFuzz {
    /** A resource that takes an input. */
    private record Asked(AltoDispatcher service, String id, String type) {}

    private static final List<Asked> ALL = all();
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);

    private AltoInputFuzz() {}

    private static List<Asked> all() {
        try {
            List<Asked> all = new ArrayList<>();
            AltoSnapshot topology = TopologyMapBuilder.of(
                    AltoTestTopology.ranking(),
                    AltoTestTopology.settings(true, CostMetric.of("routingcost"), CostMetric.of("delay-ow")));
            AltoSnapshot files = AltoSample.information(Files.createTempDirectory("alto"), 1, 20);
            for (AltoSnapshot each : List.of(topology, files)) {
                List<AltoResource> resources = ResourceCatalog.of(each, InstantSource.system());
                AltoDispatcher service = new AltoDispatcher(() -> each, resources, List.of());
                for (AltoResource resource : resources) {
                    resource.accepts().ifPresent(type -> all.add(new Asked(service, resource.id(), type)));
                }
            }
            return all;
        } catch (IOException | FaultyFile | Malformed e) {
            throw new IllegalStateException(e);
        }
    }

    /** Posts it to the resource that its first byte says. */
    public static void fuzz(byte[] input) {
        if (input.length == 0) {
            return;
        }
        Asked asked = ALL.get((input[0] & 0xff) % ALL.size());
        HttpResponse answer = asked.service.answer(new HttpRequest(
                "POST",
                "/" + asked.id,
                Map.of("host", List.of("a"), "content-type", List.of(asked.type)),
                Arrays.copyOfRange(input, 1, input.length),
                PEER,
                false,
                Optional.empty()));
        if (answer.status() != 200 && answer.status() != 400) {
            throw new AssertionError("status " + answer.status());
        }
    }

    /** An input for each kind of resource, at each. */
    public static List<byte[]> seeds() {
        String type = "\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"routingcost\"}";
        String addresses = "[\"ipv4:192.0.2.7\",\"ipv6:2001:db8::1\",\"ipv4:130.149.1.1\"]";
        List<byte[]> seeds = new ArrayList<>();
        for (int i = 0; i < ALL.size(); i++) {
            for (String each : List.of(
                    "{\"pids\":[\"home\",\"far\"],\"address-types\":[\"ipv4\",\"ipv6\"]}",
                    "{" + type + ",\"constraints\":[\"ge 1\",\"lt 20\"],\"pids\":{\"srcs\":[\"home\"],\"dsts\":[]}}",
                    "{\"multi-cost-types\":[{\"cost-mode\":\"ordinal\",\"cost-metric\":\"delay-ow\"}],"
                            + "\"or-constraints\":[[\"[0] le 5\"]],\"pids\":{\"srcs\":[],\"dsts\":[]}}",
                    "{" + type + ",\"endpoints\":{\"srcs\":[],\"dsts\":" + addresses + "}}",
                    "{\"properties\":[\"net.pid\",\"priv:kind\"],\"endpoints\":" + addresses + "}",
                    "{\"entities\":" + addresses + ",\"properties\":[\"net.pid\"]}",
                    "{" + type + ",\"ane-property-names\":[\"max-reservable-bandwidth\"],\"pids\":{\"srcs\":[],\"dsts\":[]}}")) {
                byte[] text = each.getBytes(StandardCharsets.UTF_8);
                byte[] seed = new byte[1 + text.length];
                seed[0] = (byte) i;
                System.arraycopy(text, 0, seed, 1, text.length);
                seeds.add(seed);
            }
        }
        return seeds;
    }
}
