package io.guidepost.alto.update;

import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.web.JsonValue;
import java.util.Optional;
import java.util.Set;

/** How a change may be told; a row each. */
public enum PatchForm {
    /** RFC 7396. */
    MERGE(MergePatch.MEDIA_TYPE),
    /** RFC 6902. */
    JSON(JsonPatch.MEDIA_TYPE);

    private final String mediaType;

    PatchForm(String mediaType) {
        this.mediaType = mediaType;
    }

    /** Media type of such a patch. */
    public String mediaType() {
        return mediaType;
    }

    /** The patch that makes one document of another; empty if there is none of this form. */
    Optional<JsonValue> diff(JsonValue from, JsonValue to) {
        return switch (this) {
            case MERGE -> MergePatch.diff(from, to);
            case JSON -> JsonPatch.diff(from, to);
        };
    }

    /**
     * The forms that changes of a resource are told in: JSON patches where there are long arrays, which a merge patch
     * replaces whole (RFC 8895 section 9.1); none for what has several parts.
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
