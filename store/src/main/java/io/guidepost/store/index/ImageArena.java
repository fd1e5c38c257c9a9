package io.guidepost.store.index;

import io.guidepost.store.Memory;
import io.guidepost.store.RecordImage;
import io.guidepost.store.StoreLimits;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Images one after the other in chunks, appended and never changed. Knows of each chunk how much of it is garbage, and
 * when the first of its images ends: the index of next expiries is as coarse as a chunk, costs nothing per record, and
 * fits, for what is written together ends together. One writer.
 */
final class ImageArena {
    private final ChunkPool pool;
    private final EpochReclaimer epochs;
    private final int[] filled;
    private final int[] garbage;
    private final long[] earliest;
    private final long[] birth;
    private int open;
    private long births;
    private long filledTotal;
    private long garbageTotal;
    private int retiring;

    ImageArena(ChunkPool pool, EpochReclaimer epochs) {
        this.pool = pool;
        this.epochs = epochs;
        int chunks = pool.chunksMax() + 1;
        filled = new int[chunks];
        garbage = new int[chunks];
        earliest = new long[chunks];
        birth = new long[chunks];
        Arrays.fill(earliest, RecordImage.NEVER);
    }

    /**
     * Appends an image, and says at which position; 0 if there is no room.
     *
     * @param reserved chunks that must stay free
     */
    long append(byte[] image, int reserved) {
        long position = room(image.length, reserved);
        if (position != 0) {
            Memory.write(image, image.length, pool.address(position));
            appended(position);
        }
        return position;
    }

    /** Appends a copy of the image at an address, and says at which position; 0 if there is no room. */
    long append(long address, int length) {
        long position = room(length, 0);
        if (position != 0) {
            MemorySegment.copy(Memory.ALL, address, Memory.ALL, pool.address(position), length);
            appended(position);
        }
        return position;
    }

    private long room(int length, int reserved) {
        int size = size(length);
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
        return ChunkPool.position(open, at);
    }

    private void appended(long position) {
        int chunk = ChunkPool.chunk(position);
        earliest[chunk] = Math.min(earliest[chunk], RecordImage.nextExpiry(Memory.ALL, pool.address(position)));
    }

    /** Notes that nothing shows the image at a position any more. */
    void discard(long position) {
        int size = size(RecordImage.length(Memory.ALL, pool.address(position)));
        garbage[ChunkPool.chunk(position)] += size;
        garbageTotal += size;
    }

    /** Gives up a full chunk of which nothing is shown any more, once no reader can look at it. */
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

    static int size(int length) {
        return length + ChunkPool.UNIT_BYTES - 1 & -ChunkPool.UNIT_BYTES;
    }

    int filled(int chunk) {
        return filled[chunk];
    }

    /** Sets when the first image of a chunk ends, as a look at all of them has shown. */
    void earliest(int chunk, long millis) {
        earliest[chunk] = millis;
    }

    /** A chunk some of whose images have ended; 0 if there is none. */
    int chunkEndedBy(long nowMillis) {
        for (int chunk = 1; chunk <= pool.taken(); chunk++) {
            if (earliest[chunk] <= nowMillis) {
                return chunk;
            }
        }
        return 0;
    }

    /** The full chunk with the largest part of garbage; 0 if there is none. */
    int dirtiest() {
        int worst = 0;
        for (int chunk = 1; chunk <= pool.taken(); chunk++) {
            if (birth[chunk] != 0 && chunk != open && garbage[chunk] > garbage[worst]) {
                worst = chunk;
            }
        }
        return worst;
    }

    /** The full chunk that was begun first; 0 if there is none. */
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

    /** Chunks that can be had now or as soon as the readers move on. */
    int available() {
        return pool.available() + retiring;
    }
}
