package io.guidepost.store.index;

import io.guidepost.base.Memory;
import io.guidepost.store.RecordImage;
import io.guidepost.store.StoreLimits;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * An append-only arena of immutable images in chunks. It tracks the garbage of each chunk and its earliest expiry: the
 * expiry index is as coarse as a chunk and costs nothing per record, as what is written together expires together. Before each
 * image there may be a word that is no part of it, see {@link ReadIndex#note}, and moves with it. One writer.
 */
final class ImageArena {
    private final ChunkPool pool;
    private final EpochReclaimer epochs;
    private final int before;
    private final int[] filled;
    private final int[] garbage;
    private final long[] earliest;
    private final long[] birth;
    private int open;
    private long births;
    private long filledTotal;
    private long garbageTotal;
    private int retiring;

    /**
     * Creates an empty arena.
     *
     * @param before bytes before each image, a multiple of {@link ChunkPool#UNIT_BYTES}
     */
    ImageArena(ChunkPool pool, EpochReclaimer epochs, int before) {
        this.pool = pool;
        this.epochs = epochs;
        this.before = before;
        int chunks = pool.chunksMax() + 1;
        filled = new int[chunks];
        garbage = new int[chunks];
        earliest = new long[chunks];
        birth = new long[chunks];
        Arrays.fill(earliest, RecordImage.NEVER);
    }

    /**
     * Appends an image and returns its position; 0 if there is no room.
     *
     * @param reserved chunks that must stay free
     */
    long append(byte[] image, int reserved) {
        long position = room(image.length, reserved);
        if (position != 0) {
            Memory.copy(image, 0, pool.address(position), image.length);
            appended(position);
        }
        return position;
    }

    /** Appends a copy of the image at an address, and of what is before it, and returns its position; 0 if there is no room. */
    long append(long address, int length) {
        long position = room(length, 0);
        if (position != 0) {
            MemorySegment.copy(Memory.ALL, address - before, Memory.ALL, pool.address(position) - before, before + length);
            appended(position);
        }
        return position;
    }

    private long room(int length, int reserved) {
        int size = size(length);
        if (size > StoreLimits.CHUNK_BYTES) {
            return 0;
        }
        if (open == 0 || filled[open] + size > StoreLimits.CHUNK_BYTES) {
            int chunk = pool.available() > reserved ? pool.take() : 0;
            if (chunk == 0) {
                return 0;
            }
            open = chunk;
            filled[chunk] = 0;
            garbage[chunk] = 0;
            earliest[chunk] = RecordImage.NEVER;
            birth[chunk] = ++births;
        }
        int at = filled[open];
        filled[open] = at + size;
        filledTotal += size;
        return position(open, at);
    }

    /** Returns the position of the image in a part of a chunk, see {@link #size}. */
    long position(int chunk, int offset) {
        return ChunkPool.position(chunk, offset + before);
    }

    private void appended(long position) {
        int chunk = ChunkPool.chunk(position);
        earliest[chunk] = Math.min(earliest[chunk], RecordImage.nextExpiry(Memory.ALL, pool.address(position)));
    }

    /** Counts the image at a position as garbage. */
    void discard(long position) {
        int size = size(RecordImage.length(Memory.ALL, pool.address(position)));
        garbage[ChunkPool.chunk(position)] += size;
        garbageTotal += size;
    }

    /** Retires a full chunk without live images, once no reader can reach it. */
    void retire(int chunk) {
        filledTotal -= filled[chunk];
        garbageTotal -= garbage[chunk];
        filled[chunk] = 0;
        garbage[chunk] = 0;
        earliest[chunk] = RecordImage.NEVER;
        birth[chunk] = 0;
        retiring++;
        epochs.retire(() -> {
            retiring--;
            pool.give(chunk);
        });
    }

    /** Returns the bytes that an image takes with what is before it. */
    int size(int length) {
        return before + length + ChunkPool.UNIT_BYTES - 1 & -ChunkPool.UNIT_BYTES;
    }

    int filled(int chunk) {
        return filled[chunk];
    }

    /** Sets the earliest expiry of a chunk after a scan of its images. */
    void earliest(int chunk, long millis) {
        earliest[chunk] = millis;
    }

    /** Returns a chunk with expired images; 0 if there is none. */
    int chunkEndedBy(long nowMillis) {
        for (int chunk = 1; chunk <= pool.taken(); chunk++) {
            if (earliest[chunk] <= nowMillis) {
                return chunk;
            }
        }
        return 0;
    }

    /** Returns the full chunk with the most garbage; 0 if there is none. */
    int dirtiest() {
        int worst = 0;
        for (int chunk = 1; chunk <= pool.taken(); chunk++) {
            if (birth[chunk] != 0 && chunk != open && garbage[chunk] > garbage[worst]) {
                worst = chunk;
            }
        }
        return worst;
    }

    /** Returns the oldest full chunk; 0 if there is none. */
    int oldest() {
        int first = 0;
        for (int chunk = 1; chunk <= pool.taken(); chunk++) {
            if (birth[chunk] != 0 && chunk != open && (first == 0 || birth[chunk] < birth[first])) {
                first = chunk;
            }
        }
        return first;
    }

    int garbage(int chunk) {
        return garbage[chunk];
    }

    long garbageBytes() {
        return garbageTotal;
    }

    long filledBytes() {
        return filledTotal;
    }

    /** Returns the number of chunks available now or as soon as readers advance. */
    int available() {
        return pool.available() + retiring;
    }
}
