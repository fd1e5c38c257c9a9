package io.guidepost.alto;

import io.guidepost.web.HttpResponse;

/**
 * The content of a resource at one version that is too long for the cache.
 *
 * @param tag equal for equal content of one resource; the HTTP ETag
 * @param writing writes the body, anew for each response
 */
public record StreamedContent(String mediaType, String tag, HttpResponse.Writing writing) {}
