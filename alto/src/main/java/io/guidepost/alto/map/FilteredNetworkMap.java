package io.guidepost.alto.map;

import io.guidepost.alto.AltoError;
import io.guidepost.alto.Caller;
import io.guidepost.alto.Content;
import io.guidepost.alto.EndpointAddress;
import io.guidepost.alto.Information;
import io.guidepost.alto.Input;
import io.guidepost.alto.Limits;
import io.guidepost.alto.MediaType;
import io.guidepost.alto.Names;
import io.guidepost.alto.Resource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Those PIDs of a network map that are asked for (RFC 7285 section 11.3.1). */
public final class FilteredNetworkMap implements Resource {
    private final String map;

    /** Of the map of that id. */
    public FilteredNetworkMap(String map) {
        this.map = map;
    }

    @Override
    public String id() {
        return Names.derived(map, "-filtered", 0);
    }

    @Override
    public String mediaType() {
        return MediaType.NETWORK_MAP;
    }

    @Override
    public Optional<String> accepts() {
        return Optional.of(MediaType.NETWORK_MAP_FILTER);
    }

    @Override
    public List<String> uses() {
        return List.of(map);
    }

    @Override
    public Content content(Information information, byte[] input, Caller caller) throws AltoError {
        Input asked = Input.read(input);
        Set<String> pids = asked.texts("pids", Limits.PIDS_MAX);
        Set<String> types = asked.findTexts("address-types", Limits.PIDS_MAX);
        NetworkMap whole = NetworkMapResource.map(information, map);
        boolean ipv4 = types.isEmpty() || types.contains(EndpointAddress.IPV4);
        boolean ipv6 = types.isEmpty() || types.contains(EndpointAddress.IPV6);
        int[] numbers = NetworkMapResource.numbers(whole, pids);
        return Content.answer(
                MediaType.NETWORK_MAP,
                NetworkMapResource.write(whole, types.isEmpty() ? numbers : having(whole, numbers, ipv4, ipv6), ipv4, ipv6));
    }

    /** Those PIDs alone that have a block of an asked type: existing clients take an empty one for a fault. */
    private static int[] having(NetworkMap whole, int[] numbers, boolean ipv4, boolean ipv6) {
        return Arrays.stream(numbers)
                .filter(pid -> {
                    boolean[] has = new boolean[1];
                    whole.forEachBlock(pid, block -> has[0] |= block.isIpv4() ? ipv4 : ipv6);
                    return has[0];
                })
                .toArray();
    }
}
