package io.guidepost.server.service;

import java.util.Map;

/**
 * How a service is.
 *
 * @param ready whether it answers
 * @param facts more about it by name, for the pages of the admin port
 */
public record ServiceHealth(boolean ready, Map<String, Object> facts) {
    /** A service that answers, and has nothing else to say. */
    public static final ServiceHealth READY = new ServiceHealth(true, Map.of());
}
