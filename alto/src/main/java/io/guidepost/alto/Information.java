package io.guidepost.alto;

/** One version of all that is told by ALTO: immutable, whole, replaced at once. */
public interface Information {
    /** Grows with each replacement. */
    long version();
}
