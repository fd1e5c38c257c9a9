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
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** The information resource directory (RFC 7285 section 9.2), generated from the entries of the resources. */
final class ResourceDirectory {
    private final List<DirectoryEntry> entries = new ArrayList<>();

    ResourceDirectory(List<AltoResource> resources, List<AltoRoute> routes) {
        entries.addAll(resources);
        routes.forEach(each -> entries.add(each.entry()));
    }

    /** Returns the directory; URIs begin with {@code base}, which has no slash at its end. */
    ResourceContent content(AltoSnapshot information, String base) {
        byte[] body = JsonWriter.bytes(out -> write(out, information, base));
        return new ResourceContent(AltoMediaType.DIRECTORY, ContentTag.of(body), body);
    }

    private void write(JsonGenerator out, AltoSnapshot information, String base) {
        out.writeStartObject();
        out.writeObjectPropertyStart("meta");
        out.writeObjectPropertyStart("cost-types");
        for (CostMetric each : information.metrics()) {
            type(out, CostType.numerical(each.name()), each);
            type(out, CostType.ordinal(each.name()), each);
        }
        if (information.paths().isPresent()) {
            CostMetric path = CostMetric.of("ane-path");
            type(out, new CostType(CostMode.ARRAY, path.name()), path);
        }
        out.writeEndObject();
        information.maps().stream().limit(1).map(NetworkMap::id)
                .filter(id -> entries.stream().anyMatch(each -> each.id().equals(id)))
                .forEach(id -> out.writeStringProperty("default-alto-network-map", id));
        out.writeEndObject();
        out.writeObjectPropertyStart("resources");
        entries.forEach(each -> entry(out, each, base));
        out.writeEndObject();
        out.writeEndObject();
    }

    private static void type(JsonGenerator out, CostType type, CostMetric metric) {
        out.writeObjectPropertyStart(type.name());
        out.writeStringProperty("cost-mode", type.mode().word());
        out.writeStringProperty("cost-metric", type.metric());
        metric.context().ifPresent(each -> {
            out.writeObjectPropertyStart("cost-context");
            out.writeStringProperty("cost-source", each.source());
            if (!each.parameters().isEmpty()) {
                out.writeObjectPropertyStart("parameters");
                each.parameters().forEach(out::writeStringProperty);
                out.writeEndObject();
            }
            out.writeEndObject();
        });
        out.writeEndObject();
    }

    private static void entry(JsonGenerator out, DirectoryEntry entry, String base) {
        out.writeObjectPropertyStart(entry.id());
        out.writeStringProperty("uri", base + "/" + entry.id());
        out.writeStringProperty("media-type", entry.mediaType());
        entry.accepts().ifPresent(each -> out.writeStringProperty("accepts", each));
        entry.capabilities().ifPresent(each -> {
            out.writeObjectPropertyStart("capabilities");
            each.accept(out);
            out.writeEndObject();
        });
        if (!entry.uses().isEmpty()) {
            out.writeArrayPropertyStart("uses");
            entry.uses().forEach(out::writeString);
            out.writeEndArray();
        }
        out.writeEndObject();
    }
}
