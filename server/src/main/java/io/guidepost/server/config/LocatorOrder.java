package io.guidepost.server.config;

/** In what order a door tells places. */
public enum LocatorOrder {
    /** As they are kept. */
    OFF,
    /** Nearest to the client first, as far as the topology knows. */
    NEAREST
}
