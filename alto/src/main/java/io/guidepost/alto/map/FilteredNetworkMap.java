package io.guidepost.alto.map;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoIdentifiers;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.protocol.EndpointAddress;
import io.guidepost.base.Address;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A filtered network map: the requested PIDs (RFC 7285 section 11.3.1). */
public final class FilteredNetworkMap extends AltoResource {
    private final String map;

    /** Creates the resource for a network map. */
    public FilteredNetworkMap(String map) {
        super(new DirectoryEntry(
                AltoIdentifiers.derived(map, "-filtered", 0),
                AltoMediaType.NETWORK_MAP,
                Optional.of(AltoMediaType.NETWORK_MAP_FILTER),
                List.of(map),
                Map.of()));
        this.map = map;
    }

    @Override
    public ResourceContent content(AltoSnapshot information, byte[] input, Address caller) throws AltoError {
        AltoInput asked = AltoInput.read(input);
        Set<String> pids = asked.texts("pids", AltoLimits.PIDS_MAX);
        Set<String> types = asked.findTexts("address-types", AltoLimits.PIDS_MAX);
        NetworkMap whole = NetworkMapResource.map(information, map);
        boolean ipv4 = types.isEmpty() || types.contains(EndpointAddress.IPV4);
        boolean ipv6 = types.isEmpty() || types.contains(EndpointAddress.IPV6);
        int[] numbers = NetworkMapResource.numbers(whole, pids);
        return ResourceContent.answer(
                AltoMediaType.NETWORK_MAP,
                NetworkMapResource.write(whole, types.isEmpty() ? numbers : having(whole, numbers, ipv4, ipv6), ipv4, ipv6));
    }

    /** Returns the PIDs that have a block of a requested type: existing clients take an empty PID for an error. */
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
