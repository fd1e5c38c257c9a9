package io.guidepost.server.gnrs;

import io.guidepost.base.AddressText;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.Replica;
import io.guidepost.names.Guid;
import io.guidepost.web.JsonWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Tells why a GUID is placed where it is, as JSON has it: one object for each copy, with every address that was hashed,
 * and the servers that this leads to.
 */
public final class PlacementTrace {
    private PlacementTrace() {}

    /**
     * Explains a placement.
     *
     * @param names what people call a server
     */
    public static Map<String, Object> json(Placement placement, Guid guid, Function<InetSocketAddress, String> names) {
        List<Object> copies = new ArrayList<>();
        for (Replica each : placement.replicas(guid)) {
            copies.add(JsonWriter.object(
                    "copy", each.number(),
                    "hashed", each.hashed().stream().map(AddressText::of).toList(),
                    "block", each.block(),
                    "deputy", each.deputy(),
                    "as", each.as(),
                    "server", each.server().map(AddressText::of).orElse(""),
                    "here", each.here()));
        }
        Set<String> here = placement.replicas(guid).stream()
                .filter(Replica::here)
                .flatMap(each -> each.server().stream())
                .map(AddressText::of)
                .collect(Collectors.toSet());
        List<Object> servers = new ArrayList<>();
        for (InetSocketAddress each : placement.servers(guid)) {
            String text = AddressText.of(each);
            servers.add(JsonWriter.object("name", names.apply(each), "address", text, "here", here.contains(text)));
        }
        return JsonWriter.object("guid", guid, "prefixes", placement.summary().prefixes(), "copies", copies, "servers", servers);
    }
}
