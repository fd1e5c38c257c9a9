package io.guidepost.store;

import java.io.IOException;

/** The disk refused a write, as when it is full: nothing of it was kept, and others are refused until it takes them again. */
public final class WritesRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    /** For a reason that is for operators: it may name files. */
    public WritesRefusedException(String trouble) {
        super(trouble);
    }
}
