package io.guidepost.store.engine;

import io.guidepost.store.StoreDamagedException;
import io.guidepost.store.StoreLockedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Translates RocksDB's errors into messages for operators. */
final class RocksErrors {
    private static final Pattern FILE =
            Pattern.compile("(\\d{6,}\\.(?:sst|log|ldb)|MANIFEST-\\d+|CURRENT|OPTIONS-\\d+)");

    private RocksErrors() {}

    static IOException opening(Path folder, RocksDBException e) {
        String said = said(e);
        if (said.contains("lock hold by current process") || said.contains("While lock file")) {
            return new StoreLockedException(folder);
        }
        if (isFull(e)) {
            return new IOException(folder + ": the disk is full, and opening needs some room: " + said, e);
        }
        if (said.contains("Permission denied") || said.contains("Read-only file system")) {
            return new IOException(folder + ": this user may not write there: " + said, e);
        }
        return damaged(folder, e);
    }

    /** Returns whether the disk has no room. */
    static boolean isFull(RocksDBException e) {
        String said = said(e);
        return said.contains("No space left") || said.contains("Disk quota exceeded");
    }

    static IOException reading(Path folder, RocksDBException e) {
        return code(e) == Status.Code.Corruption ? damaged(folder, e) : new IOException(folder + ": " + said(e), e);
    }

    static IOException writing(Path folder, RocksDBException e) {
        return new IOException(folder + ": " + said(e), e);
    }

    private static StoreDamagedException damaged(Path folder, RocksDBException e) {
        Matcher file = FILE.matcher(said(e));
        StoreDamagedException damaged = new StoreDamagedException(
                file.find() ? folder.resolve(file.group(1)) : folder,
                "the engine finds damage: " + said(e),
                StoreDamagedException.RESTORE);
        damaged.initCause(e);
        return damaged;
    }

    private static Status.@org.jspecify.annotations.Nullable Code code(RocksDBException e) {
        Status status = e.getStatus();
        return status == null ? null : status.getCode();
    }

    private static String said(RocksDBException e) {
        String message = e.getMessage();
        return message == null ? "error " + code(e) : message;
    }
}
