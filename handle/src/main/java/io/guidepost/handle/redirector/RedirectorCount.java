package io.guidepost.handle.redirector;

/** Counters of {@link Redirector}. */
public enum RedirectorCount {
    /** Redirects to a location. */
    REDIRECTED,
    /** Redirects to another handle. */
    ALIASES,
    /** Pages of values or locations. */
    VALUES_SHOWN,
    /** Handles that do not exist or have no public values. */
    NOT_FOUND,
    /** Handles of prefixes that this server is not responsible for. */
    ELSEWHERE,
    /** Malformed requests: a method, a form, or a handle. */
    REFUSED,
    /** Failures of the disk or another server. */
    FAILED,
    /** URLs of forbidden schemes. */
    UNSAFE_URLS,
    /** Values of 10320/loc that are malformed. */
    MALFORMED_LOCATIONS
}
