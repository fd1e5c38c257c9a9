package io.guidepost.store.embedded;

import io.guidepost.base.Memory;
import io.guidepost.store.RecordImage;
import io.guidepost.store.VersionClock;
import io.guidepost.store.engine.StorageEngine;
import io.guidepost.store.index.ReadIndex;
import java.io.IOException;
import java.util.Arrays;

/**
 * Warms the index from the engine in steps, between the committer's groups and on its thread: no write can intervene
 * between a step's read and its publication, so a step only has to skip keys that are already there.
 */
public final class IndexWarmer {
    private final StorageEngine engine;
    private final ReadIndex index;
    private final VersionClock versions;
    private byte[] from = {1};
    private boolean done;
    private long taken;

    IndexWarmer(StorageEngine engine, ReadIndex index, VersionClock versions) {
        this.engine = engine;
        this.index = index;
        this.versions = versions;
    }

    boolean done() {
        return done;
    }

    /**
     * Loads more records.
     *
     * @return their number
     * @throws IOException if the engine's files cannot be read; the index then stays incomplete
     */
    int step(int records) throws IOException {
        taken = 0;
        try {
            engine.visit(from, (key, image) -> {
                if (taken == records || index.full()) {
                    from = key;
                    return false;
                }
                take(key, image);
                taken++;
                return true;
            });
        } catch (IOException | RuntimeException e) {
            done = true;
            throw e;
        }
        if (index.full()) {
            done = true;
        } else if (taken < records) {
            done = true;
            index.completed();
        }
        return (int) taken;
    }

    private void take(byte[] key, byte[] image) {
        String wrong = wrong(key, image);
        if (wrong != null) {
            throw new IllegalStateException(wrong);
        }
        if (ReadIndex.holds(key[0])) {
            long hash = index.hash(key);
            if (!index.contains(key, hash)) {
                index.put(key, hash, image);
            }
        }
        versions.seen(Memory.longAt(image, 8));
    }

    /** Returns why an image must not be published under a key; null if it may. */
    public static @org.jspecify.annotations.Nullable String wrong(byte[] key, byte[] image) {
        int length = image.length;
        if (length < RecordImage.HEADER_BYTES + key.length + 8 || image[0] != RecordImage.FORMAT) {
            return "a stored record is not an image of format " + RecordImage.FORMAT;
        }
        if (length > io.guidepost.base.CommonLimits.RECORD_BYTES_MAX || Memory.intAt(image, 4) != length) {
            return "a stored record says that it has " + Memory.intAt(image, 4) + " bytes, and has " + length;
        }
        int keyEnd = RecordImage.HEADER_BYTES + key.length;
        if ((Memory.intAt(image, 0) & 0xffff) != key.length
                || !Arrays.equals(key, 0, key.length, image, RecordImage.HEADER_BYTES, keyEnd)) {
            return "a stored record does not carry the key under which it stands";
        }
        int bindings = Memory.intAt(image, 32);
        int addressBytes = Memory.intAt(image, 36);
        if (bindings < 0 || addressBytes < 0 || keyEnd + 8L + addressBytes + 16L * bindings > length) {
            return "the parts of a stored record are longer than the record";
        }
        return null;
    }
}
