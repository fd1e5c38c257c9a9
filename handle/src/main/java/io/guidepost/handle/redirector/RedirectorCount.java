package io.guidepost.handle.redirector;

/** What {@link Redirector} counts. */
public enum RedirectorCount {
    /** Browsers sent to a place. */
    REDIRECTED,
    /** Browsers sent to another handle. */
    ALIASES,
    /** Pages of values or locations. */
    VALUES_SHOWN,
    /** Handles that do not exist or have no public values. */
    NOT_FOUND,
    /** Handles that are somebody else's. */
    ELSEWHERE,
    /** Requests that are none: a method, a form, or a handle. */
    REFUSED,
    /** The disk or another server failed. */
    FAILED,
    /** URLs that no browser is sent to. */
    UNSAFE_URLS,
    /** Values of 10320/loc that are malformed. */
    MALFORMED_LOCATIONS
}
