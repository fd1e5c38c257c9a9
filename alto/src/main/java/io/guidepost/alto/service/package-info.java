/**
 * ALTO as one HTTP service: resolves a path to a resource, checks the request against it, caches renderings, and lists
 * resources in the directory.
 */
@NullMarked
package io.guidepost.alto.service;

import org.jspecify.annotations.NullMarked;
