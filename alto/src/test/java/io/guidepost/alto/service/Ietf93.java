package io.guidepost.alto.service;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.map.AltoMapFiles;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The data set of the interoperability event at IETF 93 (draft-roome-alto-interop-ietf93), where it is there: in
 * {@code TEST_SPEC}, or in {@code ../shared/spec} beside the checkout.
 */
public final class Ietf93 {
    /** Blocks whose addresses have a {@code priv:ietf-type}: what is mine, peers and transit hold. */
    private static final Map<String, String> TYPES = Map.of(
            "ipv4:100.0.0.0/8", "mine", "ipv4:128.0.0.0/16", "peer", "ipv4:129.0.0.0/16", "peer", "ipv4:130.0.0.0/16", "peer",
            "ipv4:131.0.0.0/16", "peer", "ipv6:2001:db8::/32", "peer", "ipv4:132.0.0.0/16", "transit", "ipv4:135.0.0.0/16",
            "transit");

    private Ietf93() {}

    /** The data as it stands in its file; the test that asks is skipped where there is none. */
    public static Map<String, JsonValue> data() throws IOException {
        Path given = Path.of(Objects.requireNonNullElse(System.getenv("TEST_SPEC"), "../../shared/spec"));
        Path file = given.resolve("alto-ietf93.json");
        assumeTrue(Files.isReadable(file), () -> "needs " + file + ": set TEST_SPEC to the folder that has it");
        return ((JsonValue.Members) AltoTestCaller.read(Files.readString(file))).members();
    }

    /** The same as files of the protocol, in a folder, read as an operator's are. */
    public static AltoSnapshot information(Path folder) throws IOException, FaultyFile {
        Map<String, JsonValue> data = data();
        for (String map : List.of("default", "alternate")) {
            write(folder, "1-map-" + map, "{\"meta\":{\"vtag\":{\"resource-id\":\"" + map + "\",\"tag\":\"x\"}},\"network-map\":"
                    + text(data, map + "-map") + "}");
            for (String metric : List.of("routingcost", "hopcount")) {
                write(folder, "costs-" + map + "-" + metric, "{\"meta\":{\"dependent-vtags\":[{\"resource-id\":\"" + map
                        + "\",\"tag\":\"x\"}],\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"" + metric
                        + "\"}},\"cost-map\":" + text(data, map + "-" + metric) + "}");
            }
        }
        // The default map is the first by name of its file.
        Files.move(folder.resolve("1-map-default.json"), folder.resolve("0-map-default.json"));
        write(folder, "properties", "{\"property-map\":{" + String.join(",", TYPES.entrySet().stream()
                .map(each -> "\"" + each.getKey() + "\":{\"priv:ietf-type\":\"" + each.getValue() + "\"}")
                .toList()) + "}}");
        return AltoMapFiles.read(List.of(folder), 1);
    }

    private static void write(Path folder, String name, String text) throws IOException {
        Files.writeString(folder.resolve(name + ".json"), text);
    }

    private static String text(Map<String, JsonValue> data, String name) {
        return AltoTestCaller.written(Objects.requireNonNull(data.get(name)));
    }

    /** The blocks of the PIDs of a map, by type, in order and in the canonical form. */
    static Map<String, Map<String, List<String>>> blocks(JsonValue map) {
        Map<String, Map<String, List<String>>> blocks = new TreeMap<>();
        ((JsonValue.Members) map).members().forEach((pid, types) -> ((JsonValue.Members) types).members().forEach((type, listed) ->
                blocks.computeIfAbsent(pid, _ -> new TreeMap<>()).put(
                        type, ((JsonValue.Elements) listed).elements().stream().map(Ietf93::block).sorted().toList())));
        return blocks;
    }

    private static String block(JsonValue text) {
        try {
            return Prefix.parse(AltoInput.told(text)).toString();
        } catch (Malformed e) {
            throw new AssertionError("no block: " + text, e);
        }
    }

    /** The costs of a map. */
    static Map<String, Map<String, Double>> costs(JsonValue map) {
        Map<String, Map<String, Double>> costs = new TreeMap<>();
        ((JsonValue.Members) map).members().forEach((from, row) -> {
            Map<String, Double> to = new TreeMap<>();
            ((JsonValue.Members) row).members()
                    .forEach((name, cost) -> to.put(name, Double.parseDouble(((JsonValue.Number) cost).digits())));
            costs.put(from, to);
        });
        return costs;
    }
}
