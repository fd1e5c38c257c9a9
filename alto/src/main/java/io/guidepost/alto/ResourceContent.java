package io.guidepost.alto;

/**
 * The content of a resource at one version.
 *
 * @param mediaType of the body
 * @param tag equal for equal content of one resource (section 10.3), and the HTTP ETag; empty for the response to a
 *     POST, which is not cached
 * @param body bytes, treated as immutable
 */
@SuppressWarnings("ArrayRecordComponent") // Rendered once, sent as it is.
public record ResourceContent(String mediaType, String tag, byte[] body) {
    /** Returns the response to a POST, which has no tag. */
    public static ResourceContent answer(String mediaType, byte[] body) {
        return new ResourceContent(mediaType, "", body);
    }
}
