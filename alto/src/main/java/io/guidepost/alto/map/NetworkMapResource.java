package io.guidepost.alto.map;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.AltoJsonWriter;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.protocol.VersionTag;
import io.guidepost.base.Address;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** A full network map (RFC 7285 section 11.2.1). */
public final class NetworkMapResource extends AltoResource {
    private static final int BLOCK_BYTES = 24;

    /** Creates the resource for a network map. */
    public NetworkMapResource(String id) {
        super(new DirectoryEntry(id, AltoMediaType.NETWORK_MAP, Optional.empty(), List.of(), Map.of()));
    }

    @Override
    public ResourceContent content(AltoSnapshot information, byte[] input, Address caller) throws AltoError {
        NetworkMap map = map(information, id());
        return new ResourceContent(mediaType(), map.tag().tag(), write(map, numbers(map, Set.of()), true, true));
    }

    /** Returns the network map of a resource; refuses while it is not loaded. */
    public static NetworkMap map(AltoSnapshot information, String id) throws AltoError {
        return information.map(id).orElseThrow(() -> AltoError.syntax("there is no network map " + id + " at this time"));
    }

    /** Writes PIDs of a map with their blocks. */
    static byte[] write(NetworkMap map, int[] pids, boolean ipv4, boolean ipv6) {
        AltoJsonWriter text = new AltoJsonWriter(1024 + (pids.length == map.pids().size() ? map.blocks() * BLOCK_BYTES : 0));
        text.put("{\"meta\":{\"vtag\":");
        tag(text, map.tag()).put("},\"network-map\":{");
        String between = "";
        for (int pid : pids) {
            text.put(between).text(map.pids().get(pid)).put(":{");
            boolean one = ipv4 && blocks(text, map, pid, true, "\"ipv4\":[");
            if (ipv6) {
                blocks(text, map, pid, false, one ? ",\"ipv6\":[" : "\"ipv6\":[");
            }
            text.put('}');
            between = ",";
        }
        return text.put("}}").bytes();
    }

    private static boolean blocks(AltoJsonWriter text, NetworkMap map, int pid, boolean ipv4, String opening) {
        int begun = text.length();
        map.forEachBlock(pid, block -> {
            if (block.isIpv4() == ipv4) {
                text.put(text.length() == begun ? opening : ",").put('"').block(block).put('"');
            }
        });
        if (text.length() == begun) {
            return false;
        }
        text.put(']');
        return true;
    }

    /** Writes a version tag. */
    public static AltoJsonWriter tag(AltoJsonWriter text, VersionTag tag) {
        return text.put("{\"resource-id\":").text(tag.resource()).put(",\"tag\":").text(tag.tag()).put('}');
    }

    /** Returns the indices of PIDs by their names; unknown names are skipped; all PIDs if no name is given. */
    public static int[] numbers(NetworkMap map, Set<String> names) {
        return names.isEmpty()
                ? IntStream.range(0, map.pids().size()).toArray()
                : names.stream().map(map::number).filter(each -> each.isPresent()).mapToInt(each -> each.getAsInt()).toArray();
    }

    /** Returns the indices of the PIDs that a list of a query names, as above; the query is the member {@code pids}. */
    public static int[] numbers(NetworkMap map, AltoInput asked, String list) throws AltoError {
        Optional<AltoInput> pids = asked.findObject("pids");
        return numbers(map, pids.isPresent() ? pids.get().findTexts(list, AltoLimits.PIDS_MAX) : Set.of());
    }

    /** Returns the names of PIDs by their indices; they need no escapes. */
    public static List<String> names(NetworkMap map, int[] numbers) {
        return IntStream.of(numbers).mapToObj(map.pids()::get).toList();
    }
}
