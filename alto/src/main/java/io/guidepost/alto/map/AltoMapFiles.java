package io.guidepost.alto.map;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.cost.CostCalendar;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.cost.CostTable;
import io.guidepost.alto.endpoint.EndpointCosts;
import io.guidepost.alto.property.BlockValues;
import io.guidepost.alto.property.EntityProperties;
import io.guidepost.alto.protocol.AltoIdentifiers;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.CostMode;
import io.guidepost.alto.protocol.EndpointAddress;
import io.guidepost.base.Address;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.Findings;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads map files, written by an operator or saved from another server, in the JSON forms of the protocol (RFC 7285
 * sections 11.2.1.6, 11.2.3.6 and 11.4.1.6, RFC 9240 section 7.6). The members of a file determine its kind:
 *
 * <table>
 * <caption>Files</caption>
 * <tr><td>{@code network-map}</td><td>PIDs and their blocks; its id is {@code meta/vtag/resource-id}, else the file's name</td></tr>
 * <tr><td>{@code cost-map}</td><td>numerical costs by {@code meta/cost-type/cost-metric} between the PIDs of the map
 * {@code meta/dependent-vtags}, else of the first one</td></tr>
 * <tr><td>{@code endpoint-properties}, {@code property-map}</td><td>properties of addresses, blocks, and {@code map.pid:PID}</td></tr>
 * <tr><td>{@code cost-metrics}</td><td>ours: for each metric, {@code calendar {time-interval-size, factors}} and
 * {@code cost-context {cost-source, parameters}}</td></tr>
 * </table>
 *
 * <p>The first network map, by the order of files and then of their names, is the default one. Tags are computed anew.
 */
public final class AltoMapFiles {
    private static final String ENDING = ".json";
    private static final String PID_TYPE = ".pid:";

    private final Findings findings = new Findings();
    private final Map<Path, JsonField> texts = new LinkedHashMap<>();
    private final List<NetworkMap> maps = new ArrayList<>();
    private final Map<String, Map<String, double[][]>> costs = new HashMap<>();
    private final Map<String, CostMetric> metrics = new LinkedHashMap<>();
    private final SortedMap<String, Map<Prefix, String>> ofAddresses = new TreeMap<>();
    private final SortedMap<String, SortedMap<String, Map<String, String>>> ofPids = new TreeMap<>();

    private AltoMapFiles() {}

    /**
     * Reads files, and all {@code .json} files of directories.
     *
     * @param version of the result
     * @throws FaultyFile with each fault as {@code file: field what is wrong}; nothing of the files is used then
     * @throws IOException if a file cannot be read
     */
    public static AltoSnapshot read(List<Path> places, long version) throws FaultyFile, IOException {
        AltoMapFiles reading = new AltoMapFiles();
        for (Path each : places) {
            for (Path file : files(each)) {
                reading.text(file);
            }
        }
        reading.each("network-map", reading::networkMap);
        reading.each("cost-metrics", reading::costMetrics);
        reading.each("cost-map", reading::costMap);
        reading.each("endpoint-properties", reading::properties);
        reading.each("property-map", reading::properties);
        reading.findings.check();
        if (reading.maps.isEmpty()) {
            throw new FaultyFile(List.of(places + ": there is no network map in these files"), 1);
        }
        return reading.information(version);
    }

    private static List<Path> files(Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            return List.of(place);
        }
        try (Stream<Path> all = Files.list(place)) {
            return all.filter(each -> each.toString().endsWith(ENDING)).sorted().toList();
        }
    }

    private void text(Path file) throws IOException {
        if (Files.size(file) > AltoLimits.FILE_BYTES_MAX) {
            findings.fault(file.toString(), 0, "a file has at most " + AltoLimits.FILE_BYTES_MAX + " bytes");
            return;
        }
        try {
            JsonField whole = JsonValue.read(Files.readAllBytes(file), AltoLimits.FILE_BYTES_MAX).whole();
            if (Stream.of("network-map", "cost-map", "endpoint-properties", "property-map", "cost-metrics")
                    .noneMatch(whole.members()::containsKey)) {
                throw whole.refused("needs one of network-map, cost-map, endpoint-properties, property-map, cost-metrics");
            }
            texts.put(file, whole);
        } catch (Malformed e) {
            findings.fault(file.toString(), 0, String.valueOf(e.getMessage()));
        }
    }

    /** The reader of files that have a member. */
    private interface Reader {
        void read(Path file, JsonField whole, JsonField member) throws Malformed;
    }

    private void each(String member, Reader reader) {
        texts.forEach((file, whole) -> {
            try {
                Optional<JsonField> found = whole.find(member);
                if (found.isPresent()) {
                    reader.read(file, whole, found.get());
                }
            } catch (Malformed e) {
                findings.fault(file.toString(), 0, String.valueOf(e.getMessage()));
            }
        });
    }

    /** Returns a nested field, if all levels exist. */
    private static Optional<JsonField> find(JsonField from, String... path) throws Malformed {
        Optional<JsonField> at = Optional.of(from);
        for (String each : path) {
            at = at.isPresent() ? at.get().find(each) : at;
        }
        return at;
    }

    private void networkMap(Path file, JsonField whole, JsonField member) throws Malformed {
        Optional<JsonField> given = find(whole, "meta", "vtag", "resource-id");
        String id = given.isPresent() ? given.get().text() : bare(file);
        if (!AltoIdentifiers.isName(id)) {
            throw given.orElse(member).refused("would be the id '" + id + "': an id has 1 to 64 letters, digits and -:@_.");
        }
        if (maps.stream().anyMatch(each -> each.id().equals(id))) {
            throw member.refused("is a second network map with the id " + id);
        }
        List<String> pids = new ArrayList<>(new TreeMap<>(member.members()).keySet());
        for (String each : pids) {
            if (!AltoIdentifiers.isName(each)) {
                throw member.refused("has the PID '" + each + "': a name has 1 to 64 letters, digits and -:@_.");
            }
        }
        NetworkMap.Builder builder = new NetworkMap.Builder(id, pids);
        Map<Prefix, String> owners = new HashMap<>();
        for (int pid = 0; pid < pids.size(); pid++) {
            for (String type : member.member(pids.get(pid)).members().keySet()) {
                for (JsonField each : member.member(pids.get(pid)).member(type).elements(AltoLimits.BLOCKS_MAX)) {
                    Prefix block = block(each, each.text(), type);
                    String owner = owners.putIfAbsent(block, pids.get(pid));
                    if (owner != null) {
                        throw each.refused("is in the PID " + owner + " already: a block is in one PID");
                    }
                    builder.add(pid, block);
                }
            }
        }
        if (!owners.containsKey(Prefix.ofIpv4(0, 0)) || !owners.containsKey(new Prefix(0, 0, 0))) {
            throw member.refused("has no 0.0.0.0/0 or no ::/0: each address must be in some PID");
        }
        maps.add(builder.build());
    }

    private static String bare(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name;
    }

    private static Prefix block(JsonField field, String text, String type) throws Malformed {
        boolean ipv6 = type.equals(EndpointAddress.IPV6);
        if (!ipv6 && !type.equals(EndpointAddress.IPV4)) {
            throw field.refused("is of the type '" + type + "': addresses are ipv4 or ipv6");
        }
        try {
            Prefix block = Prefix.parse(text);
            if (text.indexOf(':') >= 0 == ipv6) {
                return block;
            }
        } catch (Malformed e) {
            throw field.refused(e.reason());
        }
        throw field.refused("is not of the type " + type);
    }

    private void costMetrics(Path file, JsonField whole, JsonField member) throws Malformed {
        for (String name : member.members().keySet()) {
            JsonField each = member.member(name);
            if (!CostMetric.isName(name)) {
                throw each.refused("is no name of a metric");
            }
            metrics.put(name, new CostMetric(
                    name,
                    each.read("cost-context", Optional.empty(), AltoMapFiles::context),
                    each.read("calendar", Optional.empty(), AltoMapFiles::calendar)));
        }
    }

    private static Optional<CostMetric.Context> context(JsonField field) throws Malformed {
        Map<String, String> parameters = field.read("parameters", Map.of(), given -> {
            Map<String, String> texts = new LinkedHashMap<>();
            for (String key : given.members().keySet()) {
                texts.put(key, given.member(key).text());
            }
            return texts;
        });
        return Optional.of(new CostMetric.Context(field.member("cost-source").text(), parameters));
    }

    private static Optional<CostCalendar> calendar(JsonField field) throws Malformed {
        List<Double> factors = new ArrayList<>();
        for (JsonField each : field.member("factors").elements(AltoLimits.INTERVALS_MAX)) {
            factors.add(number(each));
        }
        if (factors.isEmpty()) {
            throw field.refused("has no factors");
        }
        return Optional.of(new CostCalendar(
                field.member("time-interval-size").integer(1, AltoLimits.INTERVAL_SECONDS_MAX), factors));
    }

    private static double number(JsonField field) throws Malformed {
        if (field.json() instanceof JsonValue.Number(String digits, long _)) {
            double number = Double.parseDouble(digits);
            if (number >= 0 && number < Double.POSITIVE_INFINITY) {
                return number + 0.0;
            }
        }
        throw field.refused("is a number of 0 or more");
    }

    private void costMap(Path file, JsonField whole, JsonField member) throws Malformed {
        JsonField type = whole.member("meta").member("cost-type");
        String metric = type.member("cost-metric").text();
        if (!CostMetric.isName(metric)) {
            throw type.member("cost-metric").refused("is no name of a metric");
        }
        if (!type.member("cost-mode").text().equals(CostMode.NUMERICAL.word())) {
            throw type.member("cost-mode").refused("is numerical here: positions follow from numbers");
        }
        Optional<JsonField> tags = find(whole, "meta", "dependent-vtags");
        String id = tags.isPresent()
                ? tags.get().elements(1).stream().findFirst().orElse(tags.get()).member("resource-id").text()
                : maps.isEmpty() ? "" : maps.getFirst().id();
        NetworkMap map = maps.stream().filter(each -> each.id().equals(id)).findFirst()
                .orElseThrow(() -> member.refused("is of a network map '" + id + "', which is not there"));
        if (map.pids().size() > AltoLimits.TABLE_PIDS_MAX) {
            throw member.refused("is for a map of more than " + AltoLimits.TABLE_PIDS_MAX + " PIDs");
        }
        double[][] table = new double[map.pids().size()][map.pids().size()];
        for (double[] each : table) {
            Arrays.fill(each, Double.NaN);
        }
        for (String from : member.members().keySet()) {
            JsonField row = member.member(from);
            for (String to : row.members().keySet()) {
                table[pid(map, row, from)][pid(map, row.member(to), to)] = number(row.member(to));
            }
        }
        if (costs.computeIfAbsent(id, _ -> new HashMap<>()).put(metric, table) != null) {
            throw member.refused("is a second map of " + metric + " for " + id);
        }
        metrics.putIfAbsent(metric, CostMetric.of(metric));
    }

    private static int pid(NetworkMap map, JsonField field, String name) throws Malformed {
        OptionalInt number = map.number(name);
        if (number.isEmpty()) {
            throw field.refused("names a PID that the map " + map.id() + " does not have");
        }
        return number.getAsInt();
    }

    private void properties(Path file, JsonField whole, JsonField member) throws Malformed {
        for (String entity : member.members().keySet()) {
            JsonField each = member.member(entity);
            for (String name : each.members().keySet()) {
                // The maps themselves determine the PIDs of addresses.
                if (!name.endsWith(".pid")) {
                    property(each, entity, name, each.member(name).text());
                }
            }
        }
    }

    private void property(JsonField field, String entity, String name, String value) throws Malformed {
        if (!AltoIdentifiers.isName(name)) {
            throw field.refused("has the property '" + name + "': a name has 1 to 64 letters, digits and -:@_.");
        }
        int pid = entity.indexOf(PID_TYPE);
        if (pid > 0) {
            ofPids.computeIfAbsent(entity.substring(0, pid), _ -> new TreeMap<>())
                    .computeIfAbsent(name, _ -> new LinkedHashMap<>())
                    .put(entity.substring(pid + PID_TYPE.length()), value);
            return;
        }
        Optional<Address> address = EndpointAddress.parse(entity);
        int colon = entity.indexOf(':');
        Prefix block = address.isPresent()
                ? address.get().prefix()
                : block(field, entity.substring(colon + 1), colon < 0 ? entity : entity.substring(0, colon));
        ofAddresses.computeIfAbsent(name, _ -> new LinkedHashMap<>()).put(block, value);
    }

    private AltoSnapshot information(long version) {
        Map<String, Map<String, CostTable>> tables = new HashMap<>();
        costs.forEach((id, byMetric) -> {
            Map<String, CostTable> told = new HashMap<>();
            byMetric.forEach((metric, table) -> told.put(metric, (from, to) -> table[from][to]));
            tables.put(id, told);
        });
        SortedMap<String, EntityProperties.OfAddresses> loaded = new TreeMap<>();
        ofAddresses.forEach((name, values) -> loaded.put(name, new BlockValues(values)));
        NetworkMap first = maps.getFirst();
        return new AltoSnapshot(
                version, maps, tables, List.copyOf(metrics.values()), new OfPids(first, tables.getOrDefault(first.id(), Map.of())),
                new EntityProperties(loaded, ofPids), Optional.empty(), Optional.empty());
    }

    /** Costs between addresses are those between their PIDs in the default map. */
    private record OfPids(NetworkMap map, Map<String, CostTable> tables) implements EndpointCosts {
        @Override
        public int place(long high, long low) {
            return map.pid(high, low);
        }

        @Override
        public double cost(String metric, int from, int to) {
            CostTable table = tables.get(metric);
            return table == null || from == NetworkMap.NOWHERE || to == NetworkMap.NOWHERE
                    ? Double.NaN
                    : table.cost(from, to);
        }
    }
}
