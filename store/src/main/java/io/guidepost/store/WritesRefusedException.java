package io.guidepost.store;

import java.io.IOException;

/**
 * Thrown when the disk refuses a write, for example when it is full: nothing of it was kept, and the store refuses
 * writes until the disk accepts them again.
 */
public final class WritesRefusedException extends IOException {
    /** Takes a reason for operators, which may name files. */
    public WritesRefusedException(String trouble) {
        super(trouble);
    }
}
