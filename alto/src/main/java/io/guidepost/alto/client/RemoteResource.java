package io.guidepost.alto.client;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * A resource in the directory of a server (RFC 7285 section 9.2.2).
 *
 * @param id in the directory
 * @param uri absolute
 * @param mediaType of the response
 * @param accepts media type of the POST body; empty for a GET resource
 * @param uses ids of the resources that it depends on
 * @param costTypes names of its cost types, as {@code meta} of the directory has them
 * @param properties names of its properties
 */
record RemoteResource(
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
