package io.guidepost.gnrs.placement;

/** Bounds of placement, each with its reason. */
final class PlacementLimits {
    /** Copies of one GUID: each is a hash and a look-up on the packet path, and a write that must be acknowledged. */
    static final int REPLICAS_MAX = 32;

    /** Hashes of one address: with the Internet half announced, 32 leave one address in four billion in a hole. */
    static final int HASHES_MAX = 32;

    private PlacementLimits() {}
}
