package io.guidepost.alto.endpoint;

import io.guidepost.alto.AltoError;
import io.guidepost.alto.AltoText;
import io.guidepost.alto.Caller;
import io.guidepost.alto.Content;
import io.guidepost.alto.Information;
import io.guidepost.alto.Input;
import io.guidepost.alto.Limits;
import io.guidepost.alto.MediaType;
import io.guidepost.alto.Resource;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.NetworkMapResource;
import io.guidepost.alto.property.EntityProperties;
import io.guidepost.proximity.Address;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** Properties of single addresses (RFC 7285 section 11.4): their PID in each network map, and those that were loaded. */
public final class EndpointPropertyResource implements Resource {
    /** What follows the id of a network map in the name of its property. */
    public static final String PID = ".pid";

    private static final int PROPERTIES_MAX = 64;

    private final String id;
    private final List<String> names;

    /**
     * A resource of that id.
     *
     * @param names properties that there are
     */
    public EndpointPropertyResource(String id, List<String> names) {
        this.id = id;
        this.names = List.copyOf(names);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String mediaType() {
        return MediaType.ENDPOINT_PROPERTY;
    }

    @Override
    public Optional<String> accepts() {
        return Optional.of(MediaType.ENDPOINT_PROPERTY_PARAMS);
    }

    @Override
    public List<String> uses() {
        return List.of();
    }

    @Override
    public Optional<Consumer<JsonGenerator>> capabilities() {
        return Optional.of(out -> {
            out.writeArrayPropertyStart("prop-types");
            names.forEach(out::writeString);
            out.writeEndArray();
        });
    }

    @Override
    public Content content(Information information, byte[] input, Caller caller) throws AltoError {
        Input asked = Input.read(input);
        Set<String> properties = asked.texts("properties", PROPERTIES_MAX);
        for (String each : properties) {
            if (!names.contains(each)) {
                throw asked.refused("properties", each, "there is no such property");
            }
        }
        Map<Address, String> endpoints = new LinkedHashMap<>();
        for (String each : asked.texts("endpoints", Limits.ENDPOINTS_MAX)) {
            endpoints.putIfAbsent(EndpointCostResource.address(asked, "endpoints", each), each);
        }
        if (properties.isEmpty() || endpoints.isEmpty()) {
            String empty = properties.isEmpty() ? "properties" : "endpoints";
            throw asked.refused(empty, "[]", empty + " has at least one element");
        }
        AltoText text = new AltoText(endpoints.size() * 64);
        text.put("{\"meta\":{");
        tags(text, information, properties);
        text.put("},\"endpoint-properties\":{");
        String between = "";
        for (Map.Entry<Address, String> each : endpoints.entrySet()) {
            text.put(between).text(each.getValue()).put(":{");
            write(text, information, each.getKey(), properties);
            text.put('}');
            between = ",";
        }
        return Content.answer(MediaType.ENDPOINT_PROPERTY, text.put("}}").bytes());
    }

    private static void tags(AltoText text, Information information, Set<String> properties) {
        String between = "\"dependent-vtags\":[";
        for (NetworkMap each : information.maps()) {
            if (properties.contains(each.id() + PID)) {
                NetworkMapResource.tag(text.put(between), each.tag());
                between = ",";
            }
        }
        if (between.equals(",")) {
            text.put(']');
        }
    }

    private static void write(AltoText text, Information information, Address address, Set<String> properties) {
        String between = "";
        for (String each : properties) {
            Optional<String> value = value(information, each, address);
            if (value.isPresent()) {
                text.put(between).text(each).put(':').text(value.get());
                between = ",";
            }
        }
    }

    private static Optional<String> value(Information information, String property, Address address) {
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
