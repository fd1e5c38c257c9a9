package io.guidepost.alto;

/**
 * What a resource says at one version.
 *
 * @param mediaType of the body
 * @param tag equal for equal content of one resource (section 10.3); it is the ETag too. Empty for the answer to an
 *     input, which nobody keeps
 * @param body bytes, treated as immutable
 */
@SuppressWarnings("ArrayRecordComponent") // Rendered once, sent as it is.
public record ResourceContent(String mediaType, String tag, byte[] body) {
    /** The answer to an input, without a tag. */
    public static ResourceContent answer(String mediaType, byte[] body) {
        return new ResourceContent(mediaType, "", body);
    }
}
