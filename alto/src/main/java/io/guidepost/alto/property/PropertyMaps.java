package io.guidepost.alto.property;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.StreamedContent;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.NetworkMapResource;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoIdentifiers;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.AltoJsonWriter;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.protocol.ContentTag;
import io.guidepost.alto.protocol.EndpointAddress;
import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Property maps, full or filtered (RFC 9240): addresses and blocks of the domains {@code ipv4} and {@code ipv6}, and
 * the PIDs of one network map. The property {@code MAP.pid} follows from the map; others come from files, and their
 * names begin with a dot here, as they are the resource's own (section 4.6).
 */
public final class PropertyMaps extends AltoResource {
    private static final int PROPERTIES_MAX = 64;

    /** Bytes per write. */
    private static final int PIECE_BYTES = 1 << 14;

    private final String map;
    private final String pid;
    private final List<String> ofAddresses;
    private final List<String> ofPids;
    private final boolean filtered;

    /**
     * Creates the resource for a network map.
     *
     * @param information determines the properties
     * @param filtered whether clients name the entities
     */
    public PropertyMaps(String map, AltoSnapshot information, boolean filtered) {
        String pidName = map + ".pid";
        List<String> names = new ArrayList<>(List.of(pidName));
        information.properties().ofAddresses().keySet().forEach(each -> names.add('.' + each));
        List<String> pidNames = information.properties().ofPids().getOrDefault(map, new TreeMap<>()).keySet().stream()
                .map(each -> '.' + each)
                .toList();
        super(new DirectoryEntry(
                filtered ? entities(map) : AltoIdentifiers.derived(map, "-properties", 0),
                AltoMediaType.PROPERTY_MAP,
                filtered ? Optional.of(AltoMediaType.PROPERTY_MAP_PARAMS) : Optional.empty(),
                List.of(map),
                Map.of("mappings", JsonWriter.object(
                        EndpointAddress.IPV4, names,
                        EndpointAddress.IPV6, names,
                        pidName, pidNames.isEmpty() ? null : pidNames))));
        this.map = map;
        this.pid = pidName;
        this.filtered = filtered;
        this.ofAddresses = List.copyOf(names);
        this.ofPids = pidNames;
    }

    /** Returns the id of the filtered property map of a network map. */
    public static String entities(String map) {
        return AltoIdentifiers.derived(map, "-entities", 0);
    }

    @Override
    public ResourceContent content(AltoSnapshot information, byte[] input, Address caller) throws AltoError {
        NetworkMap whole = NetworkMapResource.map(information, map);
        byte[] body = text(whole, filtered ? asked(information, whole, input) : all(information, whole));
        return filtered ? ResourceContent.answer(AltoMediaType.PROPERTY_MAP, body)
                : new ResourceContent(AltoMediaType.PROPERTY_MAP, ContentTag.of(body), body);
    }

    private static byte[] text(NetworkMap whole, Map<String, Map<String, String>> told) {
        AltoJsonWriter text = opening(whole, 1024 + told.size() * 64);
        String between = "";
        for (Map.Entry<String, Map<String, String>> entity : told.entrySet()) {
            values(text.put(between).text(entity.getKey()), entity.getValue());
            between = ",";
        }
        return text.put("}}").bytes();
    }

    private static AltoJsonWriter opening(NetworkMap whole, int bytesExpected) {
        AltoJsonWriter text = new AltoJsonWriter(bytesExpected);
        return NetworkMapResource.tag(text.put("{\"meta\":{\"dependent-vtags\":["), whole.tag())
                .put("]},\"property-map\":{");
    }

    private static void values(AltoJsonWriter text, Map<String, String> values) {
        String between = ":{";
        for (Map.Entry<String, String> each : values.entrySet()) {
            text.put(between).text(each.getKey()).put(':').text(each.getValue());
            between = ",";
        }
        text.put(values.isEmpty() ? ":{}" : "}");
    }

    /** Collects the properties of each entity without inherited ones, which clients derive (section 7.6). */
    private Map<String, Map<String, String>> all(AltoSnapshot information, NetworkMap whole) throws AltoError {
        if (whole.blocks() > AltoLimits.PROPERTY_BLOCKS_MAX) {
            throw AltoError.syntax("this map has more than " + AltoLimits.PROPERTY_BLOCKS_MAX
                    + " blocks: fetch it, or query the needed ones by POST to /" + entities(map));
        }
        Map<String, Map<String, String>> told = new LinkedHashMap<>();
        for (int i = 0; i < whole.pids().size(); i++) {
            String name = whole.pids().get(i);
            whole.forEachBlock(i, each -> entity(told, entity(each)).put(pid, name));
        }
        loaded(information, told);
        return told;
    }

    /** Adds the properties from files. */
    private void loaded(AltoSnapshot information, Map<String, Map<String, String>> told) {
        information.properties().ofAddresses().forEach((name, values) ->
                values.forEach((block, value) -> entity(told, entity(block)).put('.' + name, value)));
        information.properties().ofPids().getOrDefault(map, new TreeMap<>()).forEach((name, values) ->
                values.forEach((each, value) -> entity(told, pid + ':' + each).put('.' + name, value)));
    }

    /** Streams the map of many blocks: it is never in memory as a whole. */
    @Override
    public Optional<StreamedContent> streamed(AltoSnapshot information) {
        Optional<NetworkMap> whole =
                filtered ? Optional.empty() : information.map(map).filter(each -> each.blocks() > AltoLimits.PROPERTY_BLOCKS_MAX);
        return whole.map(each -> {
            Map<String, Map<String, String>> loaded = new LinkedHashMap<>();
            loaded(information, loaded);
            return new StreamedContent(AltoMediaType.PROPERTY_MAP, ContentTag.of(text(each, loaded)), out -> write(each, loaded, out));
        });
    }

    private void write(NetworkMap whole, Map<String, Map<String, String>> loaded, OutputStream out) throws IOException {
        Map<String, Map<String, String>> left = new LinkedHashMap<>(loaded);
        AltoJsonWriter text = opening(whole, 2 * PIECE_BYTES);
        boolean any = false;
        for (int i = 0; i < whole.pids().size(); i++) {
            for (Iterator<Prefix> blocks = whole.blocks(i); blocks.hasNext(); any = true) {
                String name = entity(blocks.next());
                text.put(any ? "," : "").text(name).put(":{").text(pid).put(':').text(whole.pids().get(i));
                Map<String, String> more = left.remove(name);
                if (more != null) {
                    more.forEach((key, value) -> text.put(',').text(key).put(':').text(value));
                }
                text.put('}');
                if (text.length() > PIECE_BYTES) {
                    out.write(text.bytes());
                    text.cut(0);
                }
            }
        }
        for (Map.Entry<String, Map<String, String>> each : left.entrySet()) {
            values(text.put(any ? "," : "").text(each.getKey()), each.getValue());
            any = true;
        }
        out.write(text.put("}}").bytes());
    }

    private static Map<String, String> entity(Map<String, Map<String, String>> told, String entity) {
        return told.computeIfAbsent(entity, _ -> new LinkedHashMap<>());
    }

    private static String entity(Prefix block) {
        String type = block.isIpv4() ? "ipv4:" : "ipv6:";
        return type + new AltoJsonWriter(64).block(block);
    }

    /** Collects the properties of the requested entities, own and inherited. */
    private Map<String, Map<String, String>> asked(AltoSnapshot information, NetworkMap whole, byte[] input) throws AltoError {
        AltoInput asked = AltoInput.read(input);
        Set<String> entities = asked.texts("entities", AltoLimits.ENDPOINTS_MAX);
        Set<String> properties = asked.findTexts("properties", PROPERTIES_MAX);
        for (String each : properties) {
            if (!ofAddresses.contains(each) && !ofPids.contains(each)) {
                throw asked.refused("properties", each, "there is no such property");
            }
        }
        Map<String, Map<String, String>> told = new LinkedHashMap<>();
        for (String each : entities) {
            Map<String, String> values = entity(told, each);
            if (each.startsWith(pid + ':')) {
                SortedMap<String, Map<String, String>> loaded =
                        information.properties().ofPids().getOrDefault(map, new TreeMap<>());
                String name = each.substring(pid.length() + 1);
                loaded.forEach((property, ofPid) -> {
                    String value = ofPid.get(name);
                    if (value != null && (properties.isEmpty() || properties.contains('.' + property))) {
                        values.put('.' + property, value);
                    }
                });
            } else {
                of(information, whole, block(asked, each), values, properties);
            }
        }
        return told;
    }

    private static Prefix block(AltoInput asked, String entity) throws AltoError {
        Optional<Address> address = EndpointAddress.parse(entity);
        if (address.isPresent()) {
            return address.get().prefix();
        }
        try {
            boolean ipv6 = entity.startsWith("ipv6:");
            if (ipv6 || entity.startsWith("ipv4:")) {
                String text = entity.substring(EndpointAddress.IPV4.length() + 1);
                Prefix block = Prefix.parse(text);
                if (text.indexOf(':') >= 0 == ipv6) {
                    return block;
                }
            }
        } catch (Malformed e) {
            throw asked.refused("entities", entity, e.reason());
        }
        throw asked.refused("entities", entity, "an entity is written such as ipv4:192.0.2.0/24 or ipv6:2001:db8::1");
    }

    private void of(
            AltoSnapshot information, NetworkMap whole, Prefix block, Map<String, String> values, Set<String> properties) {
        for (String each : ofAddresses) {
            if (properties.isEmpty() || properties.contains(each)) {
                Optional<String> value = each.equals(pid)
                        ? Optional.of(whole.pid(block)).filter(found -> found >= 0).map(whole.pids()::get)
                        : Optional.ofNullable(information.properties().ofAddresses().get(each.substring(1)))
                                .flatMap(loaded -> loaded.of(block));
                value.ifPresent(told -> values.put(each, told));
            }
        }
    }
}
