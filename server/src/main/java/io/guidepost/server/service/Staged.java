package io.guidepost.server.service;

/**
 * A service's part of a reload: read and found right, and not in force yet. All that can fail, such as taking a port, was done
 * when it was staged. One of {@link #apply} and {@link #discard} is called, once.
 */
@FunctionalInterface
public interface Staged {
    /** Changes nothing. */
    Staged NOTHING = () -> {};

    /** Puts it in force. */
    void apply();

    /** Gives back what was taken for it: another service's part has a fault. */
    default void discard() {}
}
