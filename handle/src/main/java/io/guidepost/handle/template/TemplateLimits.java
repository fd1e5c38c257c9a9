package io.guidepost.handle.template;

/** The bounds of templates, each with its reason. Who passes one gets no record; it is counted as a failure. */
public final class TemplateLimits {
    /** Characters that regular expressions may look at for one handle: a millisecond or two. */
    static final int STEPS_MAX = 200_000;

    /** Characters of a regular expression. */
    static final int EXPRESSION_CHARACTERS_MAX = 1024;

    /** The product of all counted repetitions of an expression: one of nothing costs time without looking at characters. */
    static final int REPETITIONS_MAX = 10_000;

    /** Templates that stand in the place of another, by {@code ref}: as many as existing servers follow. */
    static final int REFERENCES_MAX = 10;

    /** Elements of templates carried out for one handle: all values of a large record, each with some conditions. */
    static final int ELEMENTS_MAX = 32_768;

    /** Bytes of all values made: what fits one message. */
    static final int BYTES_MAX = io.guidepost.handle.HandleLimits.MESSAGE_BYTES_MAX;

    /** Prefixes looked at for a template, each derived from the next. */
    static final int PARENTS_MAX = 8;

    /** Namespaces kept ready, read: some hundred prefixes have templates at the largest services. */
    static final int NAMESPACES_KEPT_MAX = 1024;

    private TemplateLimits() {}
}
