package io.guidepost.store.index;

import io.guidepost.store.IndexMemory;
import io.guidepost.store.StoreLimits;

/**
 * Memory of the index in chunks of {@link StoreLimits#CHUNK_BYTES}, numbered from 1. Taken from the system as they are
 * needed, up to a bound; reused, never given back. One writer; readers ask for addresses alone.
 *
 * <p>A position is 40 bits: a chunk's number and an offset in units of 8 bytes.
 */
public final class ChunkPool {
    public static final int UNIT_BYTES = 8;
    static final int UNITS_BITS = Integer.numberOfTrailingZeros(StoreLimits.CHUNK_BYTES / UNIT_BYTES);

    /** What a processor fetches at once. */
    static final int LINE_BYTES = 64;

    /** Read ahead behind an image that may be the last of a piece. */
    private static final int BEHIND_BYTES = 3 * LINE_BYTES;

    private final long[] bases;
    private final int[] free;
    private int freeCount;
    private final IndexMemory memory;
    private int taken;
    private int held;

    ChunkPool(long bytesMax, IndexMemory memory) {
        this.memory = memory;
        int chunksMax = Math.toIntExact(Math.max(bytesMax / StoreLimits.CHUNK_BYTES, 4L * StoreLimits.CHUNKS_RESERVED));
        bases = new long[chunksMax + 1];
        free = new int[chunksMax];
    }

    /** Takes a chunk that nobody uses; 0 if the bound is reached. */
    int take() {
        if (freeCount > 0) {
            return free[--freeCount];
        }
        if (taken == held && !takePiece()) {
            return 0;
        }
        return ++taken;
    }

    /** Cuts another piece of memory into chunks; false if the bound is reached. */
    private boolean takePiece() {
        int chunks = (int) Math.min(memory.pieceBytes() / StoreLimits.CHUNK_BYTES, chunksMax() - held);
        if (chunks == 0) {
            return false;
        }
        try {
            long address = memory.source().apply((long) chunks * StoreLimits.CHUNK_BYTES + BEHIND_BYTES).address();
            if (held == 0) {
                // So that a slot that shows nothing can be followed without asking whether it does.
                bases[0] = address;
            }
            for (int i = 0; i < chunks; i++) {
                bases[++held] = address + (long) i * StoreLimits.CHUNK_BYTES;
            }
            return true;
        } catch (OutOfMemoryError e) {
            // The machine has less than the configuration allows: live with what there is.
            return false;
        }
    }

    /** Gives back a chunk that no reader can see. */
    void give(int chunk) {
        free[freeCount++] = chunk;
    }

    /** Address of a chunk. */
    long base(int chunk) {
        return bases[chunk];
    }

    /** Address of a position; of those in chunk 0, which no image has, some address that can be read. */
    long address(long position) {
        return bases[(int) (position >>> UNITS_BITS)]
                + (position & (1L << UNITS_BITS) - 1) * UNIT_BYTES;
    }

    static long position(int chunk, int offset) {
        return (long) chunk << UNITS_BITS | offset / UNIT_BYTES;
    }

    static int chunk(long position) {
        return (int) (position >>> UNITS_BITS);
    }

    int chunksMax() {
        return free.length;
    }

    /** Chunks taken from the system. */
    int taken() {
        return taken;
    }

    /** Chunks that can still be had at once. */
    int available() {
        return freeCount + chunksMax() - taken;
    }
}
