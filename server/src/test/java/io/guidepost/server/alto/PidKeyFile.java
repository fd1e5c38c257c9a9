package io.guidepost.server.alto;

import java.io.IOException;
import java.nio.file.Path;

/** The file of the key of PIDs, for tests elsewhere. */
public final class PidKeyFile {
    private PidKeyFile() {}

    /** Returns the key of a folder, which is made if it is missing. */
    public static byte[] of(Path folder) throws IOException {
        return PidKey.of(folder);
    }
}
