package io.guidepost.alto.path;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The network elements on the paths between places. Immutable and thread-safe. */
public interface AltoPaths {
    /**
     * An abstract network element (ANE).
     *
     * @param key equal for the same element on all paths; not published
     * @param bandwidth reservable bit/s, if known
     * @param persistent its name in a property map, if published
     */
    record Element(Object key, OptionalDouble bandwidth, Optional<String> persistent) {}

    /** Returns the elements between two places of {@code EndpointCosts}, in order; empty if there is no path. */
    Optional<List<Element>> path(int from, int to);

    /**
     * Returns the elements between two PIDs of the default map, given by their indices, in order; empty if there is no
     * path.
     */
    Optional<List<Element>> pathOfPids(int from, int to);

    /** Returns whether elements have persistent names. */
    boolean tellsPersistent();
}
