/**
 * ALTO as one HTTP service: resolves a path to a resource, checks the request against it, caches renderings, and lists
 * resources in the directory.
 */
package io.guidepost.alto.service;
