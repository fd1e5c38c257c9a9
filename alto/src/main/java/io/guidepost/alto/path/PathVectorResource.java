package io.guidepost.alto.path;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.map.NetworkMapResource;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.AltoJsonWriter;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.protocol.ContentTag;
import io.guidepost.alto.protocol.CostMode;
import io.guidepost.alto.protocol.CostType;
import io.guidepost.alto.protocol.VersionTag;
import io.guidepost.web.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The common part of both path vector resources (RFC 9275): the request, and the two-part response, whose first part
 * lists the elements of each path and whose second part has their properties. Elements are numbered in the order in
 * which they occur; a number means nothing outside of its response.
 */
abstract class PathVectorResource extends AltoResource {
    /** The cost metric. */
    static final String METRIC = "ane-path";

    /** Characters by which the id of the first part is longer than the resource's. */
    static final int PART_ROOM = ".costmap".length();

    private static final String BANDWIDTH = "max-reservable-bandwidth";
    private static final String PERSISTENT = "persistent-entity-id";
    private static final String NAMES = "ane-property-names";

    private final String partType;
    private final String part;
    private final List<String> properties;

    /**
     * Creates the common part of one resource.
     *
     * @param input media type of the request
     * @param partType media type of the first part
     * @param part suffix of the id of the first part
     */
    PathVectorResource(String id, String input, String partType, String part, List<String> uses, boolean tellsPersistent) {
        List<String> known = tellsPersistent ? List.of(BANDWIDTH, PERSISTENT) : List.of(BANDWIDTH);
        super(new DirectoryEntry(
                id,
                AltoMediaType.RELATED + ";type=" + partType,
                Optional.of(input),
                List.copyOf(uses),
                JsonWriter.object("cost-type-names", List.of(new CostType(CostMode.ARRAY, METRIC).name()), NAMES, known)));
        this.partType = partType;
        this.part = part;
        this.properties = known;
    }

    /** Checks the cost type, and returns the requested element properties. */
    Set<String> read(AltoInput asked) throws AltoError {
        AltoInput type = asked.object("cost-type");
        String mode = type.text("cost-mode");
        String metric = type.text("cost-metric");
        if (!metric.equals(METRIC)) {
            throw type.refused("cost-metric", metric, "this resource has " + METRIC + " only");
        }
        if (!mode.equals(CostMode.ARRAY.word())) {
            throw type.refused("cost-mode", mode, METRIC + " has the mode " + CostMode.ARRAY.word() + " only");
        }
        if (!asked.findTexts("constraints", AltoLimits.CONSTRAINTS_MAX).isEmpty()) {
            throw asked.refused("constraints", "constraints", "path vectors have no constraints");
        }
        Set<String> wanted = asked.findTexts(NAMES, AltoLimits.CONSTRAINTS_MAX);
        for (String each : wanted) {
            if (!properties.contains(each)) {
                throw asked.refused(NAMES, each, "elements have no such property");
            }
        }
        return wanted;
    }

    /** The paths of a response. */
    interface Ways {
        Optional<List<AltoPaths.Element>> way(int row, int column);
    }

    /** The first part without its tag, and the elements in it. */
    private record Named(AltoJsonWriter map, Map<Object, AltoPaths.Element> elements) {}

    /**
     * Builds the response.
     *
     * @param depends tags of the resources that the first part depends on, as members of {@code meta}, or empty
     * @param entities tag of the property map of persistent elements
     * @param member name of the data of the first part
     * @param rows names of the sources, which need no escapes
     * @param columns names of the destinations, likewise
     */
    ResourceContent answer(
            Set<String> wanted,
            String depends,
            VersionTag entities,
            String member,
            List<String> rows,
            List<String> columns,
            Ways ways)
            throws AltoError {
        long pairs = (long) rows.size() * columns.size();
        if (pairs > AltoLimits.PATHS_MAX) {
            throw AltoError.value(
                    member.startsWith("endpoint") ? "endpoints" : "pids", pairs + " pairs",
                    "an answer has at most " + AltoLimits.PATHS_MAX + " ways");
        }
        Named named = map(rows, columns, ways);
        byte[] map = named.map.bytes();
        String tag = ContentTag.of(map);
        VersionTag vtag = new VersionTag(id() + "." + part, tag);
        String boundary = "part-" + tag;
        AltoJsonWriter text = new AltoJsonWriter(map.length + 1024);
        opening(text, boundary, part, partType);
        NetworkMapResource.tag(text.put("{\"meta\":{\"vtag\":"), vtag).put(depends);
        text.put(",\"cost-type\":{\"cost-mode\":\"array\",\"cost-metric\":\"ane-path\"}},\"").put(member).put("\":");
        text.put(map, 0, map.length).put("}\r\n");
        opening(text, boundary, "propmap", AltoMediaType.PROPERTY_MAP);
        NetworkMapResource.tag(text.put("{\"meta\":{\"dependent-vtags\":["), vtag);
        if (wanted.contains(PERSISTENT)) {
            NetworkMapResource.tag(text.put(','), entities);
        }
        text.put("]},\"property-map\":");
        properties(text, wanted, named.elements);
        text.put("}\r\n--").put(boundary).put("--\r\n");
        return ResourceContent.answer(AltoMediaType.RELATED + ";boundary=" + boundary + ";type=" + partType, text.bytes());
    }

    private void opening(AltoJsonWriter text, String boundary, String name, String type) {
        text.put("--").put(boundary).put("\r\nContent-ID: <").put(name).put("@").put(id()).put(".alto>\r\nContent-Type: ")
                .put(type).put("\r\n\r\n");
    }

    private static Named map(List<String> rows, List<String> columns, Ways ways) {
        Map<Object, AltoPaths.Element> elements = new LinkedHashMap<>();
        Map<Object, Integer> numbers = new HashMap<>();
        AltoJsonWriter text = new AltoJsonWriter(4096).put('{');
        String betweenRows = "\"";
        for (int i = 0; i < rows.size(); i++) {
            int begun = text.length();
            text.put(betweenRows).put(rows.get(i)).put("\":{");
            String between = "\"";
            for (int j = 0; j < columns.size(); j++) {
                Optional<List<AltoPaths.Element>> way = ways.way(i, j);
                if (way.isPresent()) {
                    text.put(between).put(columns.get(j)).put("\":[");
                    char comma = 0;
                    for (AltoPaths.Element each : way.get()) {
                        elements.putIfAbsent(each.key(), each);
                        int number = numbers.computeIfAbsent(each.key(), _ -> numbers.size() + 1);
                        (comma == 0 ? text : text.put(comma)).put("\"e").number((long) number).put('"');
                        comma = ',';
                    }
                    text.put(']');
                    between = ",\"";
                }
            }
            if (between.equals("\"")) {
                text.cut(begun);
            } else {
                text.put('}');
                betweenRows = ",\"";
            }
        }
        return new Named(text.put('}'), elements);
    }

    /** Writes each element of a path, even one without known or requested properties (section 7.2.6). */
    private static void properties(AltoJsonWriter text, Set<String> wanted, Map<Object, AltoPaths.Element> elements) {
        text.put('{');
        String between = "\".ane:e";
        int number = 0;
        for (AltoPaths.Element each : elements.values()) {
            number++;
            boolean bandwidth = wanted.contains(BANDWIDTH) && each.bandwidth().isPresent();
            boolean persistent = wanted.contains(PERSISTENT) && each.persistent().isPresent();
            text.put(between).number((long) number).put("\":{");
            if (bandwidth) {
                text.text(BANDWIDTH).put(':').number(each.bandwidth().getAsDouble());
            }
            if (persistent) {
                text.put(bandwidth ? "," : "").text(PERSISTENT).put(':').text(each.persistent().get());
            }
            text.put('}');
            between = ",\".ane:e";
        }
        text.put('}');
    }

    /** Formats a tag as members of {@code meta} after another one. */
    static String depends(VersionTag tag) {
        AltoJsonWriter text = new AltoJsonWriter(128).put(",\"dependent-vtags\":[");
        return new String(NetworkMapResource.tag(text, tag).put(']').bytes(), StandardCharsets.US_ASCII);
    }
}
