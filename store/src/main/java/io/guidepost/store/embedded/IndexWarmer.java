package io.guidepost.store.embedded;

import io.guidepost.base.Memory;
import io.guidepost.store.StoredForm;
import io.guidepost.store.VersionClock;
import io.guidepost.store.engine.StorageEngine;
import io.guidepost.store.index.ReadIndex;
import java.io.IOException;

/**
 * Warms the index from the engine in steps, between the committer's groups and on its thread: no write can intervene
 * between a step's read and its publication, so a step only has to skip keys that are already there.
 */
final class IndexWarmer {
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
        String wrong = StoredForm.wrong(key, image);
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
}
