package io.guidepost.alto;

/**
 * What a resource says at one version.
 *
 * @param mediaType of the body
 * @param tag equal for equal content of one resource (section 10.3); it is the ETag too
 * @param body bytes, treated as immutable
 */
@SuppressWarnings("ArrayRecordComponent") // Rendered once, sent as it is.
public record Content(String mediaType, String tag, byte[] body) {}
