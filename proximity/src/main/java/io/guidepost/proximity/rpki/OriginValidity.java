package io.guidepost.proximity.rpki;

/** What the RPKI says of a route's origin (RFC 6811 section 2). */
public enum OriginValidity {
    /** A VRP covers the prefix, is for this origin, and allows the length. */
    VALID,
    /** VRPs cover the prefix, and none of them allows this route. */
    INVALID,
    /** No VRP covers the prefix. */
    NOT_FOUND
}
