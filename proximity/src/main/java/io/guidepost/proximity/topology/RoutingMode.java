package io.guidepost.proximity.topology;

/** How paths inside the network are found. */
public enum RoutingMode {
    /** Hop by hop along the explicit routes of the routers. */
    EXPLICIT,
    /**
     * By the smallest sum of weights; if equal, by fewer hops, then more bandwidth at the narrowest link, then less
     * latency, then the lower id of the first router that differs. This is decided from the source outwards, router by
     * router: the path to a router is always the path to the one before it, and a link.
     */
    IMPLICIT
}
