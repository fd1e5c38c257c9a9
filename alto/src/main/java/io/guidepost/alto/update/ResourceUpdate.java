package io.guidepost.alto.update;

import io.guidepost.alto.ResourceContent;

/**
 * What takes a receiver to the next version of a resource.
 *
 * @param mediaType of a patch, or of the resource if it is told whole
 * @param body treated as immutable
 */
@SuppressWarnings("ArrayRecordComponent") // Made once, sent as it is.
public record ResourceUpdate(String mediaType, byte[] body) {
    /** The resource itself. */
    public static ResourceUpdate whole(ResourceContent content) {
        return new ResourceUpdate(content.mediaType(), content.body());
    }
}
