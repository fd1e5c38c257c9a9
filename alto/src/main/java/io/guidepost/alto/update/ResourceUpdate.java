package io.guidepost.alto.update;

import io.guidepost.alto.ResourceContent;

/**
 * An update of a resource for a receiver.
 *
 * @param mediaType of a patch, or of the full resource
 * @param body treated as immutable
 */
@SuppressWarnings("ArrayRecordComponent") // Made once, sent as it is.
public record ResourceUpdate(String mediaType, byte[] body) {
    /** Creates an update that is the full resource. */
    public static ResourceUpdate whole(ResourceContent content) {
        return new ResourceUpdate(content.mediaType(), content.body());
    }
}
