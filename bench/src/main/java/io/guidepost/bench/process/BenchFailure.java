package io.guidepost.bench.process;

import org.jspecify.annotations.Nullable;

/** The reason why a benchmark cannot go on, and the remedy, in one line; shown without a stack trace. */
public final class BenchFailure extends RuntimeException {
    private final String sentence;
    private final boolean missing;

    public BenchFailure(String sentence) {
        this(sentence, null, false);
    }

    public BenchFailure(String sentence, Throwable cause) {
        this(sentence, cause, false);
    }

    private BenchFailure(String sentence, @Nullable Throwable cause, boolean missing) {
        super(sentence, cause);
        this.sentence = sentence;
        this.missing = missing;
    }

    /** Creates the failure of a machine that lacks what a benchmark needs. */
    public static BenchFailure missing(String sentence) {
        return new BenchFailure(sentence, null, true);
    }

    /** Returns whether the machine lacks what the benchmark needs. */
    public boolean missing() {
        return missing;
    }

    public String sentence() {
        return sentence;
    }
}
