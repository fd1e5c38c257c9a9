package io.guidepost.handle.template;

/**
 * Signals that a template cannot be expanded: it exceeds a bound, or refers to nothing. Without a stack trace, as it is
 * data.
 */
final class TemplateException extends Exception {
    private static final long serialVersionUID = 1L;

    TemplateException(String reason) {
        super(reason, null, false, false);
    }
}
