package io.guidepost.alto.client;

import io.guidepost.alto.protocol.CostMode;
import io.guidepost.alto.protocol.CostType;
import io.guidepost.base.Malformed;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The directory of a server (RFC 7285 section 9.2).
 *
 * @param costTypes by their names
 * @param defaultMap id of the network map that endpoints belong to by default
 * @param resources by their ids
 */
record RemoteDirectory(Map<String, CostType> costTypes, Optional<String> defaultMap, Map<String, RemoteResource> resources) {
    private static final int NAMES_MAX = 10_000;

    /** Copies the maps. */
    public RemoteDirectory {
        costTypes = Map.copyOf(costTypes);
        resources = new LinkedHashMap<>(resources);
    }

    /**
     * Reads a directory.
     *
     * @param from its URI, the base of relative URIs in it
     * @throws Malformed if it is no directory
     */
    static RemoteDirectory read(JsonValue directory, URI from) throws Malformed {
        JsonField whole = directory.whole();
        Map<String, CostType> costTypes = new LinkedHashMap<>();
        Optional<JsonField> meta = whole.find("meta");
        Optional<JsonField> types = meta.isPresent() ? meta.get().find("cost-types") : Optional.empty();
        if (types.isPresent()) {
            for (String name : types.get().members().keySet()) {
                JsonField type = types.get().member(name);
                Optional<CostMode> mode = CostMode.of(type.member("cost-mode").text());
                String metric = type.member("cost-metric").text();
                mode.ifPresent(each -> costTypes.put(name, new CostType(each, metric)));
            }
        }
        Optional<JsonField> map = meta.isPresent() ? meta.get().find("default-alto-network-map") : Optional.empty();
        Map<String, RemoteResource> resources = new LinkedHashMap<>();
        JsonField listed = whole.member("resources");
        for (String id : listed.members().keySet()) {
            resources.put(id, listed(id, listed.member(id), from));
        }
        return new RemoteDirectory(costTypes, map.isPresent() ? Optional.of(map.get().text()) : Optional.empty(), resources);
    }

    private static RemoteResource listed(String id, JsonField entry, URI from) throws Malformed {
        JsonField uri = entry.member("uri");
        URI absolute;
        try {
            absolute = from.resolve(uri.text());
        } catch (IllegalArgumentException e) {
            throw uri.refused("is no URI");
        }
        Optional<JsonField> accepts = entry.find("accepts");
        Optional<JsonField> capabilities = entry.find("capabilities");
        return new RemoteResource(
                id,
                absolute,
                entry.member("media-type").text(),
                accepts.isPresent() ? Optional.of(accepts.get().text()) : Optional.empty(),
                texts(Optional.of(entry), "uses"),
                texts(capabilities, "cost-type-names"),
                texts(capabilities, "prop-types"));
    }

    private static List<String> texts(Optional<JsonField> of, String name) throws Malformed {
        List<String> texts = new ArrayList<>();
        Optional<JsonField> found = of.isPresent() ? of.get().find(name) : Optional.empty();
        if (found.isPresent()) {
            for (JsonField each : found.get().elements(NAMES_MAX)) {
                texts.add(each.text());
            }
        }
        return texts;
    }

    /** Returns the cost types of a resource. */
    public List<CostType> costTypes(RemoteResource resource) {
        return resource.costTypes().stream()
                .filter(costTypes::containsKey)
                .map(each -> Optional.ofNullable(costTypes.get(each)).orElseThrow())
                .toList();
    }
}
