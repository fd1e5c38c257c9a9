package io.guidepost.fleet;

import io.guidepost.base.Memory;
import io.guidepost.store.RecordReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A reader that asks the cluster for what is not in the cache, or not fresh there. */
final class FleetReader implements RecordReader {
    private static final int ROOM_BYTES_MIN = 4096;

    private final RecordReader cache;
    private final QuorumRead cluster;
    private MemorySegment room = MemorySegment.NULL;
    private boolean asked;

    /** Asks a quorum for the image of a key. */
    @FunctionalInterface
    interface QuorumRead {
        /** Returns the image; null if there is no record. */
        byte @Nullable [] image(byte[] key) throws IOException;
    }

    FleetReader(RecordReader cache, QuorumRead cluster) {
        this.cache = cache;
        this.cluster = cluster;
    }

    @Override
    public void enter() {
        cache.enter();
    }

    @Override
    public void exit() {
        cache.exit();
    }

    /**
     * Implements {@link RecordReader#find}.
     *
     * @throws UncheckedIOException if the cluster does not answer
     */
    @Override
    public Found find(byte namespace, MemorySegment segment, long offset, int length) {
        asked = false;
        if (cache.find(namespace, segment, offset, length) == Found.YES) {
            return Found.YES;
        }
        byte[] key = new byte[1 + length];
        key[0] = namespace;
        MemorySegment.copy(segment, Memory.BYTE, offset, key, 1, length);
        byte[] image;
        try {
            image = cluster.image(key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (image == null) {
            return Found.NO;
        }
        if (room.byteSize() < image.length) {
            room = Arena.ofAuto().allocate(Math.max(2L * image.length, ROOM_BYTES_MIN));
        }
        Memory.copy(image, 0, room.address(), image.length);
        asked = true;
        return Found.YES;
    }

    // The same segment as the cache's, so that callers see one kind of memory alone.
    @Override
    public MemorySegment segment() {
        return Memory.ALL;
    }

    @Override
    public long offset() {
        return asked ? room.address() : cache.offset();
    }
}
