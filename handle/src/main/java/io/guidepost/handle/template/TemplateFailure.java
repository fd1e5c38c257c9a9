package io.guidepost.handle.template;

/** Says that a template cannot be carried out: it passes a bound, or leads nowhere. Without a stack trace, as it is data. */
final class TemplateFailure extends Exception {
    private static final long serialVersionUID = 1L;

    TemplateFailure(String reason) {
        super(reason, null, false, false);
    }
}
