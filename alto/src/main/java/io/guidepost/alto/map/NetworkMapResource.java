package io.guidepost.alto.map;

import io.guidepost.alto.AltoError;
import io.guidepost.alto.AltoText;
import io.guidepost.alto.Caller;
import io.guidepost.alto.Content;
import io.guidepost.alto.Information;
import io.guidepost.alto.MediaType;
import io.guidepost.alto.Resource;
import io.guidepost.alto.VersionTag;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A network map, whole (RFC 7285 section 11.2.1). */
public final class NetworkMapResource implements Resource {
    private static final int BLOCK_BYTES = 24;

    private final String id;

    /** The map of that id. */
    public NetworkMapResource(String id) {
        this.id = id;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String mediaType() {
        return MediaType.NETWORK_MAP;
    }

    @Override
    public Optional<String> accepts() {
        return Optional.empty();
    }

    @Override
    public List<String> uses() {
        return List.of();
    }

    @Override
    public Content content(Information information, byte[] input, Caller caller) throws AltoError {
        NetworkMap map = map(information, id);
        int[] all = new int[map.pids().size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
        return new Content(MediaType.NETWORK_MAP, map.tag().tag(), write(map, all, true, true));
    }

    /** A map that a resource is made for; it is refused while that is not loaded. */
    public static NetworkMap map(Information information, String id) throws AltoError {
        return information.map(id).orElseThrow(() -> AltoError.syntax("there is no network map " + id + " at this time"));
    }

    /** Writes PIDs of a map with their blocks. */
    static byte[] write(NetworkMap map, int[] pids, boolean ipv4, boolean ipv6) {
        AltoText text = new AltoText(1024 + (pids.length == map.pids().size() ? map.blocks() * BLOCK_BYTES : 0));
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

    private static boolean blocks(AltoText text, NetworkMap map, int pid, boolean ipv4, String opening) {
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
    public static AltoText tag(AltoText text, VersionTag tag) {
        return text.put("{\"resource-id\":").text(tag.resource()).put(",\"tag\":").text(tag.tag()).put('}');
    }

    /** The numbers of PIDs by their names; those that are not there are left out; all of them if none is named. */
    public static int[] numbers(NetworkMap map, Set<String> names) {
        return names.isEmpty()
                ? java.util.stream.IntStream.range(0, map.pids().size()).toArray()
                : names.stream().map(map::number).filter(each -> each.isPresent()).mapToInt(each -> each.getAsInt()).toArray();
    }
}
