package io.guidepost.alto;

import io.guidepost.web.HttpService;

/**
 * A line of the directory that is more than a {@link Resource}: a service that answers all requests to its path and to
 * what is below it, whatever the method, such as update streams.
 *
 * @param entry what the directory says of it
 * @param service answers {@code /id} and {@code /id/...}
 */
public record Route(Entry entry, HttpService service) {}
