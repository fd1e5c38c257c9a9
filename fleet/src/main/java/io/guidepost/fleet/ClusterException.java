package io.guidepost.fleet;

import java.io.IOException;

/** Thrown when the cluster does not answer, or refuses. */
final class ClusterException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean unknown;

    /**
     * Creates it.
     *
     * @param message one line for an operator
     * @param unknown whether a write may have been made, or may be made later
     */
    ClusterException(String message, boolean unknown) {
        super(message);
        this.unknown = unknown;
    }

    /** Returns whether a write may have been made, or may be made later; else it was not and will not be. */
    boolean unknown() {
        return unknown;
    }
}
