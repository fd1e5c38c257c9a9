package io.guidepost.alto.client;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * A resource that a server's directory lists (RFC 7285 section 9.2.2).
 *
 * @param id of it
 * @param uri where it is, absolute
 * @param mediaType of what it says
 * @param accepts media type of its input; empty if it is fetched by GET
 * @param uses ids of the resources that it depends on
 * @param costTypes names of the cost types that it tells, as {@code meta} of the directory has them
 * @param properties names of the properties that it tells
 */
public record RemoteResource(
        String id,
        URI uri,
        String mediaType,
        Optional<String> accepts,
        List<String> uses,
        List<String> costTypes,
        List<String> properties) {
    /** Copies the lists. */
    public RemoteResource {
        uses = List.copyOf(uses);
        costTypes = List.copyOf(costTypes);
        properties = List.copyOf(properties);
    }
}
