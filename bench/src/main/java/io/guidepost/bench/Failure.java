package io.guidepost.bench;

/** Says in one line why a benchmark cannot go on, and what to do; shown without a stack trace. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Failure(String message) {
        super(message);
    }

    Failure(String message, Throwable cause) {
        super(message, cause);
    }
}
