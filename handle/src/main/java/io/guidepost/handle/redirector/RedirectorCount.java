package io.guidepost.handle.redirector;

/** Counters of {@link Redirector}. */
public enum RedirectorCount {
    /** Redirects to a location. */
    RESPONSES_LOCATION,
    /** Redirects to another handle. */
    RESPONSES_ALIAS,
    /** Pages of values or locations. */
    RESPONSES_VALUES,
    /** Handles that do not exist or have no public values. */
    RESPONSES_NOT_FOUND,
    /** Handles of prefixes that this server is not responsible for. */
    RESPONSES_NOT_RESPONSIBLE,
    /** Malformed requests: a method, a form, or a handle. */
    RESPONSES_MALFORMED,
    /** Failures of the disk or another server. */
    RESPONSES_FAILED,
    /** URLs of forbidden schemes. */
    UNSAFE_URLS,
    /** Values of 10320/loc that are malformed. */
    MALFORMED_LOCATIONS
}
