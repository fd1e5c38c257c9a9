package io.guidepost.alto.service;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.map.AltoMapFiles;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The topology of the interoperability event at IETF 93 (draft-roome-alto-interop-ietf93); its file says how it is written. */
final class Ietf93 {
    private static final Path FILE = Path.of("src/test/resources/ietf93.txt");
    private static final String NONE = "-";
    private static final Map<String, List<List<String>>> PARTS = parts();

    private Ietf93() {}

    /** The words of each line, by the title of their part. */
    private static Map<String, List<List<String>>> parts() {
        Map<String, List<List<String>>> parts = new LinkedHashMap<>();
        List<List<String>> part = new ArrayList<>();
        boolean title = true;
        try {
            for (String line : Files.readAllLines(FILE)) {
                if (line.isEmpty()) {
                    title = true;
                } else if (!line.startsWith("#")) {
                    if (title) {
                        part = new ArrayList<>();
                        parts.put(line, part);
                        title = false;
                    } else {
                        part.add(List.of(line.split(" ", -1)));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return parts;
    }

    private static List<List<String>> part(String title) {
        return Objects.requireNonNull(PARTS.get(title), title);
    }

    /** The same as files of the protocol, in a folder, read as an operator's are. */
    static AltoSnapshot information(Path folder) throws IOException, FaultyFile {
        for (String map : List.of("default", "alternate")) {
            write(folder, "1-map-" + map, "{\"meta\":{\"vtag\":{\"resource-id\":\"" + map + "\",\"tag\":\"x\"}},\"network-map\":"
                    + members(part("map " + map).stream().map(Ietf93::pid).toList()) + "}");
            for (String metric : List.of("routingcost", "hopcount")) {
                write(folder, "costs-" + map + "-" + metric, "{\"meta\":{\"dependent-vtags\":[{\"resource-id\":\"" + map
                        + "\",\"tag\":\"x\"}],\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"" + metric
                        + "\"}},\"cost-map\":" + members(costs(map, metric).entrySet().stream()
                                .map(row -> member(row.getKey(), members(row.getValue().entrySet().stream()
                                        .map(each -> member(each.getKey(), each.getValue().toString()))
                                        .toList())))
                                .toList()) + "}");
            }
        }
        // The default map is the first by name of its file.
        Files.move(folder.resolve("1-map-default.json"), folder.resolve("0-map-default.json"));
        write(folder, "properties", "{\"property-map\":" + members(part("types").stream()
                .map(each -> member(each.get(0), "{\"priv:ietf-type\":\"" + each.get(1) + "\"}"))
                .toList()) + "}");
        return AltoMapFiles.read(List.of(folder), 1);
    }

    private static void write(Path folder, String name, String text) throws IOException {
        Files.writeString(folder.resolve(name + ".json"), text);
    }

    private static String members(List<String> members) {
        return "{" + String.join(",", members) + "}";
    }

    private static String member(String name, String value) {
        return "\"" + name + "\":" + value;
    }

    private static String pid(List<String> words) {
        return member(words.getFirst(), members(byType(words).entrySet().stream()
                .map(each -> member(each.getKey(), "[\"" + String.join("\",\"", each.getValue()) + "\"]"))
                .toList()));
    }

    /** The blocks of a PID, as the draft writes them. */
    private static Map<String, List<String>> byType(List<String> words) {
        return words.stream().skip(1).collect(Collectors.groupingBy(each -> each.contains(":") ? "ipv6" : "ipv4", TreeMap::new,
                Collectors.toList()));
    }

    /** The blocks of the PIDs of a map, by type, in order and in the canonical form. */
    static Map<String, Map<String, List<String>>> blocks(String map) {
        Map<String, Map<String, List<String>>> blocks = new TreeMap<>();
        for (List<String> each : part("map " + map)) {
            Map<String, List<String>> types = byType(each);
            types.replaceAll((_, listed) -> listed.stream().map(Ietf93::block).sorted().toList());
            blocks.put(each.getFirst(), types);
        }
        return blocks;
    }

    /** The same of a map that was answered. */
    static Map<String, Map<String, List<String>>> blocks(JsonValue map) {
        Map<String, Map<String, List<String>>> blocks = new TreeMap<>();
        ((JsonValue.Members) map).members().forEach((pid, types) -> ((JsonValue.Members) types).members().forEach((type, listed) ->
                blocks.computeIfAbsent(pid, _ -> new TreeMap<>()).put(type, ((JsonValue.Elements) listed).elements().stream()
                        .map(each -> block(AltoInput.told(each)))
                        .sorted()
                        .toList())));
        return blocks;
    }

    private static String block(String text) {
        try {
            return Prefix.parse(text).toString();
        } catch (Malformed e) {
            throw new AssertionError("no block: " + text, e);
        }
    }

    /** The costs of a map, by source and destination. */
    static Map<String, Map<String, Double>> costs(String map, String metric) {
        List<List<String>> lines = part("costs " + map + " " + metric);
        Map<String, Map<String, Double>> costs = new TreeMap<>();
        for (List<String> row : lines.subList(1, lines.size())) {
            for (int i = 1; i < row.size(); i++) {
                if (!row.get(i).equals(NONE)) {
                    costs.computeIfAbsent(row.getFirst(), _ -> new TreeMap<>())
                            .put(lines.getFirst().get(i), Double.parseDouble(row.get(i)));
                }
            }
        }
        return costs;
    }

    /** The same of a map that was answered. */
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

    /** The properties that addresses have, by their names in the protocol. */
    static Map<String, Map<String, String>> endpoints() {
        Map<String, Map<String, String>> endpoints = new LinkedHashMap<>();
        for (List<String> each : part("endpoints")) {
            Map<String, String> properties =
                    new LinkedHashMap<>(Map.of("default.pid", each.get(1), "alternate.pid", each.get(2), "priv:ietf-type", each.get(3)));
            properties.values().remove(NONE);
            endpoints.put(each.getFirst(), properties);
        }
        return endpoints;
    }
}
