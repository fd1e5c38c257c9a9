package io.guidepost.handle.record;

import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Visits many images of a store, in pieces: a read of the engine pins files, and the visitor may take its time. */
public final class ImageScan {
    /** Images in one read of the engine. */
    private static final int PIECE = 512;

    /** Bytes of them, about: records may be long, and many scans may run concurrently. */
    private static final int PIECE_BYTES = 1 << 18;

    /** Takes the images in the order of their keys. */
    @FunctionalInterface
    public interface Visitor {
        /** Takes an image; false ends the scan. */
        boolean take(byte[] key, byte[] image) throws IOException;
    }

    private ImageScan() {}

    /**
     * Visits the images behind a key as long as their keys begin with some bytes.
     *
     * @throws IOException if the disk cannot be read, or the visitor fails
     */
    public static void visit(RecordStore store, byte[] behind, byte[] start, Visitor visitor) throws IOException {
        byte[] last = behind;
        List<Map.Entry<byte[], byte[]>> piece = new ArrayList<>();
        boolean[] more = new boolean[1];
        do {
            piece.clear();
            more[0] = false;
            int[] bytes = new int[1];
            store.images(last, (key, image) -> {
                if (key.length < start.length || !Arrays.equals(key, 0, start.length, start, 0, start.length)) {
                    return false;
                }
                piece.add(Map.entry(key, image));
                bytes[0] += image.length;
                more[0] = piece.size() == PIECE || bytes[0] >= PIECE_BYTES;
                return !more[0];
            });
            for (Map.Entry<byte[], byte[]> each : piece) {
                if (!visitor.take(each.getKey(), each.getValue())) {
                    return;
                }
                last = each.getKey();
            }
        } while (more[0]);
    }
}
