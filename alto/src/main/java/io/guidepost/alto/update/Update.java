package io.guidepost.alto.update;

import io.guidepost.alto.Content;

/**
 * What takes a receiver to the next version of a resource.
 *
 * @param mediaType of a patch, or of the resource if it is told whole
 * @param body treated as immutable
 */
@SuppressWarnings("ArrayRecordComponent") // Made once, sent as it is.
public record Update(String mediaType, byte[] body) {
    /** The resource itself. */
    public static Update whole(Content content) {
        return new Update(content.mediaType(), content.body());
    }
}
