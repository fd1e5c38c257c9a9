package io.guidepost.handle.template;

/** What {@link NamespaceTemplates} counts. */
public enum TemplateCount {
    /** Records made. */
    MADE,
    /** Handles of which a template said that they do not exist. */
    NOT_FOUND,
    /** Templates that are malformed, pass a bound, or point to nothing. */
    FAILED
}
