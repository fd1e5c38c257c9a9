package io.guidepost.alto.update;

import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.web.JsonValue;
import java.util.Optional;
import java.util.Set;

/** Patch formats, one row each. */
enum PatchForm {
    /** RFC 7396. */
    MERGE(MergePatch.MEDIA_TYPE),
    /** RFC 6902. */
    JSON(JsonPatch.MEDIA_TYPE);

    private final String mediaType;

    PatchForm(String mediaType) {
        this.mediaType = mediaType;
    }

    /** Returns the media type of the patch. */
    public String mediaType() {
        return mediaType;
    }

    /** Computes the patch from one document to another; empty if this format has none. */
    Optional<JsonValue> diff(JsonValue from, JsonValue to) {
        return switch (this) {
            case MERGE -> MergePatch.diff(from, to);
            case JSON -> JsonPatch.diff(from, to);
        };
    }

    /**
     * Returns the formats for updates of a resource: JSON patches where there are long arrays, which a merge patch
     * replaces as a whole (RFC 8895 section 9.1); none for multipart content.
     *
     * @param mediaType of the resource
     */
    public static Set<PatchForm> of(String mediaType) {
        if (mediaType.startsWith(AltoMediaType.RELATED)) {
            return Set.of();
        }
        return mediaType.equals(AltoMediaType.NETWORK_MAP) ? Set.of(MERGE, JSON) : Set.of(MERGE);
    }
}
