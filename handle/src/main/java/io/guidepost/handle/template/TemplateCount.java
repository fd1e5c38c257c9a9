package io.guidepost.handle.template;

/** Counters of {@link NamespaceTemplates}. */
public enum TemplateCount {
    /** Records computed. */
    MADE,
    /** Handles that a template declared as missing. */
    NOT_FOUND,
    /** Templates that are malformed, exceed a bound, or refer to nothing. */
    FAILED
}
