package io.guidepost.bench.process;

/** The reason why a benchmark cannot go on, and the remedy, in one line; shown without a stack trace. */
public final class BenchFailure extends RuntimeException {
    private final String sentence;

    public BenchFailure(String sentence) {
        super(sentence);
        this.sentence = sentence;
    }

    public BenchFailure(String sentence, Throwable cause) {
        super(sentence, cause);
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }
}
