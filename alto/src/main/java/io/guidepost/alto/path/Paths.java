package io.guidepost.alto.path;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What is passed on the way from one place to another; places as in {@code EndpointCosts}. Immutable and thread-safe. */
@FunctionalInterface
public interface Paths {
    /**
     * An abstract network element.
     *
     * @param key equal for the same element on all ways; not told
     * @param bandwidth bit/s that may be reserved, if it is known
     * @param persistent what it is called in a property map, if that is told
     */
    record Element(Object key, OptionalDouble bandwidth, Optional<String> persistent) {}

    /** The elements in order; empty if there is no way. */
    Optional<List<Element>> path(int from, int to);
}
