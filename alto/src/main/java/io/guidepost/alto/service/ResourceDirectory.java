package io.guidepost.alto.service;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.protocol.ContentTag;
import io.guidepost.alto.protocol.CostMode;
import io.guidepost.alto.protocol.CostType;
import io.guidepost.web.JsonWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The information resource directory (RFC 7285 section 9.2), generated from the entries of the resources. */
final class ResourceDirectory {
    private final List<DirectoryEntry> entries = new ArrayList<>();

    ResourceDirectory(Collection<AltoResource> resources, Collection<AltoRoute> routes) {
        resources.forEach(each -> entries.add(each.entry()));
        routes.forEach(each -> entries.add(each.entry()));
    }

    /** Returns the directory; URIs begin with {@code base}, which has no slash at its end. */
    ResourceContent content(AltoSnapshot information, String base) {
        Map<String, Object> types = new LinkedHashMap<>();
        for (CostMetric each : information.metrics()) {
            type(types, CostType.numerical(each.name()), each);
            type(types, CostType.ordinal(each.name()), each);
        }
        if (information.paths().isPresent()) {
            CostMetric path = CostMetric.of("ane-path");
            type(types, new CostType(CostMode.ARRAY, path.name()), path);
        }
        Optional<String> map = information.maps().stream().limit(1).map(NetworkMap::id)
                .filter(id -> entries.stream().anyMatch(each -> each.id().equals(id)))
                .findFirst();
        Map<String, Object> resources = new LinkedHashMap<>();
        for (DirectoryEntry each : entries) {
            resources.put(each.id(), JsonWriter.object(
                    "uri", base + "/" + each.id(),
                    "media-type", each.mediaType(),
                    "accepts", each.accepts().orElse(null),
                    "capabilities", each.capabilities().isEmpty() ? null : each.capabilities(),
                    "uses", each.uses().isEmpty() ? null : each.uses()));
        }
        byte[] body = JsonWriter.bytes(JsonWriter.object(
                "meta", JsonWriter.object("cost-types", types, "default-alto-network-map", map.orElse(null)),
                "resources", resources));
        return new ResourceContent(AltoMediaType.DIRECTORY, ContentTag.of(body), body);
    }

    private static void type(Map<String, Object> types, CostType type, CostMetric metric) {
        types.put(type.name(), JsonWriter.object(
                "cost-mode", type.mode().word(),
                "cost-metric", type.metric(),
                "cost-context", metric.context()
                        .map(each -> JsonWriter.object(
                                "cost-source", each.source(),
                                "parameters", each.parameters().isEmpty() ? null : each.parameters()))
                        .orElse(null)));
    }
}
