package io.guidepost.store.engine;

import java.io.IOException;
import org.rocksdb.RocksDB;

/**
 * Loads RocksDB's native library: from {@code java.library.path} if a file {@code librocksdbjni} is there, else out of
 * the jar, which unpacks 17 MB to the temporary folder at each start.
 */
final class RocksLibrary {
    private RocksLibrary() {}

    static void load() throws IOException {
        try {
            RocksDB.loadLibrary();
        } catch (UnsatisfiedLinkError | RuntimeException e) {
            throw new IOException(
                    "The native library of RocksDB does not load (" + e.getMessage() + "). It needs a 64-bit Linux,"
                            + " macOS or Windows, room in the temporary folder (-Djava.io.tmpdir=FOLDER names another one),"
                            + " and permission to run files there.",
                    e);
        }
    }
}
