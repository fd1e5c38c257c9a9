package io.guidepost.store.embedded;

import io.guidepost.store.StoreLimits;
import java.io.File;

/**
 * Room on the file system that is kept for changes which do not grow: without it, a client that fills the disk would also stop
 * those that want to delete. For the committer's thread; {@link #trouble} for any.
 */
final class DiskReserve {
    private static final System.Logger LOG = System.getLogger(DiskReserve.class.getName());

    private final File folder;
    private final long bytes;
    private long lookedAtMillis;
    private long written;
    private volatile boolean touched;

    /** @param folder of the store, on the file system in question; one that is not there has no reserve */
    DiskReserve(File folder) {
        this.folder = folder;
        this.bytes = Math.min(StoreLimits.DISK_RESERVE_BYTES, folder.getTotalSpace() / 2);
    }

    /** Notes that bytes were written. */
    void wrote(long number) {
        written += number;
    }

    /** Returns whether less than the reserve is left, so that only changes which do not grow may be taken. */
    boolean isTouched(long nowMillis) {
        if (written >= StoreLimits.DISK_LOOK_BYTES || Math.abs(nowMillis - lookedAtMillis) >= StoreLimits.DISK_LOOK_MILLIS) {
            lookedAtMillis = nowMillis;
            written = 0;
            boolean now = bytes > 0 && folder.getUsableSpace() < bytes;
            if (now != touched) {
                touched = now;
                if (now) {
                    LOG.log(System.Logger.Level.WARNING, trouble());
                } else {
                    LOG.log(System.Logger.Level.INFO, "the disk has room again: all changes are taken");
                }
            }
        }
        return touched;
    }

    /** Returns why changes that grow are refused; empty if they are taken. */
    String trouble() {
        return touched
                ? "the disk is nearly full: its last " + (bytes >> 20) + " MiB are kept for changes that do not grow, such as deletes"
                : "";
    }
}
