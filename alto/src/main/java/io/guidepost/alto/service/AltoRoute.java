package io.guidepost.alto.service;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.web.HttpHandler;

/**
 * A line of the directory that is more than a {@link AltoResource}: a service that answers all requests to its path and to
 * what is below it, whatever the method, such as update streams.
 *
 * @param entry what the directory says of it
 * @param service answers {@code /id} and {@code /id/...}
 */
public record AltoRoute(DirectoryEntry entry, HttpHandler service) {}
