package io.guidepost.server;

/** In what order a door tells places. */
public enum Order {
    /** As they are kept. */
    OFF,
    /** Nearest to whoever asks first, as far as the topology knows. */
    NEAREST
}
