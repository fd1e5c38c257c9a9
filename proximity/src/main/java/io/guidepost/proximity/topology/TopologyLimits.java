package io.guidepost.proximity.topology;

/** Bounds of networks, each with its reason. */
final class TopologyLimits {
    /**
     * The last changes of prefixes that are remembered one by one, so that a snapshot can be made of the one before: as
     * many as a peer that goes down takes along in a second. After more, all prefixes are read again.
     */
    static final int CHANGES_KEPT = 1 << 17;

    private TopologyLimits() {}
}
