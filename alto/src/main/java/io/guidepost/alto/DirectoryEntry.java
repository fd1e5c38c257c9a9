package io.guidepost.alto;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An entry of the directory (RFC 7285 section 9.2.2).
 *
 * @param id in the directory, 1 to 64 characters (section 10.2), which is the path of its URI too
 * @param mediaType of the response
 * @param accepts media type of the POST body; empty for a GET resource
 * @param uses ids of the resources that it depends on
 * @param capabilities its members, as {@link io.guidepost.web.JsonWriter#write} takes them; none if there are none
 */
public record DirectoryEntry(
        String id, String mediaType, Optional<String> accepts, List<String> uses, Map<String, Object> capabilities) {}
