package io.guidepost.handle.template;

/**
 * Signals that a template cannot be expanded: it exceeds a bound, or refers to nothing. Without a stack trace, as it is
 * data.
 */
final class TemplateException extends Exception {
    TemplateException(String reason) {
        super(reason, null, false, false);
    }
}
