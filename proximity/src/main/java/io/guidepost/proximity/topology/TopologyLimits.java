package io.guidepost.proximity.topology;

/** Bounds of networks, each with its reason. */
final class TopologyLimits {
    /**
     * Prefix changes that are remembered, so that a snapshot can build on the one before: as many as a lost peer causes
     * in a second. After more, all prefixes are read again.
     */
    static final int CHANGES_KEPT = 1 << 17;

    private TopologyLimits() {}
}
