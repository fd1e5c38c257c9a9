package io.guidepost.alto.endpoint;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.property.EntityProperties;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.base.Address;
import io.guidepost.web.JsonWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The endpoint property service (RFC 7285 section 11.4): the PID of an address in each network map, and properties from
 * files.
 */
public final class EndpointPropertyResource extends AltoResource {
    /** Suffix of the property that has the PID in a network map. */
    public static final String PID = ".pid";

    private static final int PROPERTIES_MAX = 64;

    private final List<String> names;

    /**
     * Creates the resource.
     *
     * @param names of all properties
     */
    public EndpointPropertyResource(String id, List<String> names) {
        super(new DirectoryEntry(
                id,
                AltoMediaType.ENDPOINT_PROPERTY,
                Optional.of(AltoMediaType.ENDPOINT_PROPERTY_PARAMS),
                List.of(),
                Map.of("prop-types", List.copyOf(names))));
        this.names = List.copyOf(names);
    }

    @Override
    public ResourceContent content(AltoSnapshot information, byte[] input, Address caller) throws AltoError {
        AltoInput asked = AltoInput.read(input);
        Set<String> properties = asked.texts("properties", PROPERTIES_MAX);
        for (String each : properties) {
            if (!names.contains(each)) {
                throw asked.refused("properties", each, "there is no such property");
            }
        }
        Map<Address, String> endpoints = new LinkedHashMap<>();
        for (String each : asked.texts("endpoints", AltoLimits.ENDPOINTS_MAX)) {
            endpoints.putIfAbsent(EndpointCostResource.address(asked, "endpoints", each), each);
        }
        if (properties.isEmpty() || endpoints.isEmpty()) {
            String empty = properties.isEmpty() ? "properties" : "endpoints";
            throw asked.refused(empty, "[]", empty + " has at least one element");
        }
        List<Map<String, Object>> tags = information.maps().stream()
                .filter(each -> properties.contains(each.id() + PID))
                .map(each -> JsonWriter.object("resource-id", each.id(), "tag", each.tag().tag()))
                .toList();
        Map<String, Object> told = new LinkedHashMap<>();
        endpoints.forEach((address, text) -> {
            Map<String, String> values = new LinkedHashMap<>();
            properties.forEach(each -> value(information, each, address).ifPresent(value -> values.put(each, value)));
            told.put(text, values);
        });
        return ResourceContent.answer(AltoMediaType.ENDPOINT_PROPERTY, JsonWriter.bytes(JsonWriter.object(
                "meta", JsonWriter.object("dependent-vtags", tags.isEmpty() ? null : tags), "endpoint-properties", told)));
    }

    private static Optional<String> value(AltoSnapshot information, String property, Address address) {
        EntityProperties.OfAddresses loaded = information.properties().ofAddresses().get(property);
        if (loaded != null) {
            return loaded.of(address);
        }
        return property.endsWith(PID)
                ? information.map(property.substring(0, property.length() - PID.length()))
                        .filter(each -> each.pid(address) != NetworkMap.NOWHERE)
                        .map(each -> each.pids().get(each.pid(address)))
                : Optional.empty();
    }
}
