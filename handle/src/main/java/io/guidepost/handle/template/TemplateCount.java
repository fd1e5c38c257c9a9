package io.guidepost.handle.template;

/** Counters of {@link NamespaceTemplates}. */
public enum TemplateCount {
    /** Records computed. */
    TEMPLATES_MADE,
    /** Handles that a template declared as missing. */
    TEMPLATES_NOT_FOUND,
    /** Templates that are malformed, exceed a bound, or refer to nothing. */
    TEMPLATES_FAILED
}
