package io.guidepost.alto.service;

import io.guidepost.alto.DirectoryEntry;
import io.guidepost.web.HttpHandler;

/**
 * A service with a path of its own: it answers all requests to {@code /id} and below, whatever the method, such as
 * update streams.
 *
 * @param entry its entry in the directory
 * @param service answers {@code /id} and {@code /id/...}
 */
public record AltoRoute(DirectoryEntry entry, HttpHandler service) {}
