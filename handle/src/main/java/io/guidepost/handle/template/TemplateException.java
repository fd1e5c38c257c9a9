package io.guidepost.handle.template;

/** Says that a template cannot be carried out: it passes a bound, or leads nowhere. Without a stack trace, as it is data. */
final class TemplateException extends Exception {
    private static final long serialVersionUID = 1L;

    TemplateException(String reason) {
        super(reason, null, false, false);
    }
}
