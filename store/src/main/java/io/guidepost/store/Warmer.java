package io.guidepost.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Fills the index from the engine in steps, between the groups of the committer and on its thread: no write can come
 * between what a step reads and what it shows, so a step needs no more than to leave alone what is already there.
 */
final class Warmer {
    private final Engine engine;
    private final ReadIndex index;
    private final VersionClock versions;
    private byte[] from = {1};
    private boolean done;
    private long taken;

    Warmer(Engine engine, ReadIndex index, VersionClock versions) {
        this.engine = engine;
        this.index = index;
        this.versions = versions;
    }

    boolean done() {
        return done;
    }

    /**
     * Takes more records.
     *
     * @return how many
     * @throws IOException if the engine's files cannot be read; the index then stays without what is behind
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
        long hash = index.hash(key);
        if (!index.contains(key, hash)) {
            index.put(key, hash, image);
        }
        versions.seen(Image.version(MemorySegment.ofArray(image), 0));
    }

    /** What keeps an image from being shown under a key; null if nothing does. */
    static @org.jspecify.annotations.Nullable String wrong(byte[] key, byte[] image) {
        MemorySegment in = MemorySegment.ofArray(image);
        if (image.length < Image.HEADER_BYTES + key.length + 8 || image[0] != Image.FORMAT) {
            return "a stored record is not an image of format " + Image.FORMAT;
        }
        if (image.length > io.guidepost.names.Limits.RECORD_BYTES_MAX || Image.length(in, 0) != image.length) {
            return "a stored record says that it has " + Image.length(in, 0) + " bytes, and has " + image.length;
        }
        if (Image.keyLength(in, 0) != key.length
                || !Arrays.equals(
                        key, 0, key.length, image, Image.HEADER_BYTES, Image.HEADER_BYTES + key.length)) {
            return "a stored record does not carry the key under which it stands";
        }
        if (Image.bindings(in, 0) < 0
                || Image.addressBytes(in, 0) < 0
                || Image.places(in, 0) + 8L + Image.addressBytes(in, 0) + 16L * Image.bindings(in, 0) > image.length) {
            return "the parts of a stored record are longer than the record";
        }
        return null;
    }
}
