package io.guidepost.handle.template;

/**
 * The bounds of templates, each with its reason. A template that exceeds one makes no record, and counts as a failure.
 */
final class TemplateLimits {
    /** Characters that regular expressions may read for one handle: a millisecond or two. */
    static final int STEPS_MAX = 200_000;

    /** Characters of a regular expression. */
    static final int EXPRESSION_CHARACTERS_MAX = 1024;

    /**
     * The product of all counted repetitions of an expression: repeating an empty match costs time without reading
     * characters.
     */
    static final int REPETITIONS_MAX = 10_000;

    /** Templates that replace another by {@code ref}: as many as existing servers follow. */
    static final int REFERENCES_MAX = 10;

    /** Elements of templates expanded for one handle: all values of a large record, each with some conditions. */
    static final int ELEMENTS_MAX = 32_768;

    /** Bytes of all computed values: what fits one message. */
    static final int BYTES_MAX = io.guidepost.handle.HandleLimits.MESSAGE_BYTES_MAX;

    /** Prefixes searched for a template, each the parent of the one before. */
    static final int PARENTS_MAX = 8;

    /** Parsed namespaces in the cache: some hundred prefixes have templates at the largest services. */
    static final int NAMESPACES_KEPT_MAX = 1024;

    private TemplateLimits() {}
}
