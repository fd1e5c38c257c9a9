package io.guidepost.server.config;

/** What ALTO tells of a topology only if the operator wants it. */
public enum AltoDisclosure {
    /** Addresses of routers that have no name, in the names of PIDs and in path vectors. */
    ROUTERS,
    /** Path vectors: which elements paths share, and how wide they are. */
    PATHS,
    /** The AS of an address, as a property. */
    AS_NUMBERS
}
