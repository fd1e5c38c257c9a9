package io.guidepost.bench;

/** Says in one line why a benchmark cannot go on, and what to do; shown without a stack trace. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String sentence;

    Failure(String sentence) {
        super(sentence);
        this.sentence = sentence;
    }

    Failure(String sentence, Throwable cause) {
        super(sentence, cause);
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}
