package io.guidepost.proximity.policy;

/** Why a route is not imported. */
public enum ImportRefusal {
    /** It is the default route, and no prefix list of the peer permits it. */
    DEFAULT_ROUTE,
    /** It leads out for addresses that no other network can have, see {@link ImportPolicy}. */
    MARTIAN,
    /** It leads out for a prefix that the operator's own files attach inside, or a part of one. */
    OWN_PREFIX,
    /** The peer's prefix list denies it. */
    PREFIX_LIST,
    /** The RPKI says that its origin may not announce it. */
    RPKI_INVALID,
    /** The peer has as many prefixes as it may. */
    PREFIXES_MAX
}
