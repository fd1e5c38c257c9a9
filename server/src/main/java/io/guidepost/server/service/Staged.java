package io.guidepost.server.service;

import java.io.IOException;

/** A service's part of a reload: read and found right, and not in force yet. */
@FunctionalInterface
public interface Staged {
    /** Changes nothing. */
    Staged NOTHING = () -> {};

    /** Puts it in force. */
    void apply() throws IOException;
}
