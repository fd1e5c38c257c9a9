package io.guidepost.store;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when a store's files are damaged: which file, what is wrong, and what to do. */
public final class StoreDamagedException extends IOException {
    /** The remedy for broken files. */
    public static final String RESTORE = "Keep a copy of the folder, then restore a backup:"
            + " guidepost restore BACKUP NEW-FOLDER, and open that";

    /**
     * Describes the damage.
     *
     * @param file the file or folder that is wrong
     * @param wrong what is wrong with it
     * @param remedy what to do, as a sentence without a full stop
     */
    public StoreDamagedException(Path file, String wrong, String remedy) {
        super(file + ": " + wrong + ". " + remedy + ".");
    }
}
