package io.guidepost.store;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when another process, or another store of this one, has the folder open. */
public final class StoreLockedException extends IOException {
    public StoreLockedException(Path folder) {
        super(folder + " is in use: another Guidepost server has it open. Stop that one, or choose another folder.");
    }
}
