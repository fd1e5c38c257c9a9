package io.guidepost.store;

import java.io.IOException;
import java.nio.file.Path;

/** Says that a store's files are not what they should be: which, what is wrong, and what to do. */
public final class StoreDamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What to do about files that are broken. */
    public static final String RESTORE = "Keep a copy of the folder, then restore a backup:"
            + " guidepost restore BACKUP NEW-FOLDER, and open that";

    private final transient Path file;

    /**
     * Describes the damage.
     *
     * @param file the file or folder that is wrong
     * @param wrong what is wrong with it
     * @param remedy what to do, as a sentence without a full stop
     */
    public StoreDamagedException(Path file, String wrong, String remedy) {
        super(file + ": " + wrong + ". " + remedy + ".");
        this.file = file;
    }

    /** The file or folder that is wrong. */
    public Path file() {
        return file;
    }
}
