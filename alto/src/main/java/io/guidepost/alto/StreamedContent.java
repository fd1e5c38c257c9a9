package io.guidepost.alto;

import io.guidepost.web.HttpResponse;

/**
 * What a resource says at one version, where that is too long to be kept as a whole.
 *
 * @param tag equal for equal content of one resource; it is the ETag
 * @param writing writes the body, each time anew
 */
public record StreamedContent(String mediaType, String tag, HttpResponse.Writing writing) {}
