package io.guidepost.alto.path;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What is passed on the way from one place to another. Immutable and thread-safe. */
public interface AltoPaths {
    /**
     * An abstract network element.
     *
     * @param key equal for the same element on all ways; not told
     * @param bandwidth bit/s that may be reserved, if it is known
     * @param persistent what it is called in a property map, if that is told
     */
    record Element(Object key, OptionalDouble bandwidth, Optional<String> persistent) {}

    /** The elements in order between places as {@code EndpointCosts} has them; empty if there is no way. */
    Optional<List<Element>> path(int from, int to);

    /** The elements in order between PIDs of the default map, by their numbers; empty if there is no way. */
    Optional<List<Element>> pathOfPids(int from, int to);

    /** Whether elements have names that stay. */
    boolean tellsPersistent();
}
