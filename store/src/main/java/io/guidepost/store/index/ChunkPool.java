package io.guidepost.store.index;

import io.guidepost.store.IndexMemory;
import io.guidepost.store.StoreLimits;

/**
 * The index's memory in chunks of {@link StoreLimits#CHUNK_BYTES}, numbered from 1. Chunks are allocated on demand up to a
 * bound, reused, and never returned to the system. One writer; readers only translate positions to addresses.
 *
 * <p>A position is 40 bits: a chunk's number and an offset in units of 8 bytes.
 */
public final class ChunkPool {
    public static final int UNIT_BYTES = 8;
    static final int UNITS_BITS = Integer.numberOfTrailingZeros(StoreLimits.CHUNK_BYTES / UNIT_BYTES);

    /** Bytes of a cache line. */
    static final int LINE_BYTES = 64;

    /** Bytes that prefetching may read behind the last image of a piece. */
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

    /** Takes a free chunk; 0 if the bound is reached. */
    int take() {
        if (freeCount > 0) {
            return free[--freeCount];
        }
        if (taken == held && !takePiece()) {
            return 0;
        }
        return ++taken;
    }

    /** Splits another piece of memory into chunks; false if the bound is reached. */
    private boolean takePiece() {
        int chunks = (int) Math.min(memory.pieceBytes() / StoreLimits.CHUNK_BYTES, chunksMax() - held);
        if (chunks == 0) {
            return false;
        }
        try {
            long address = memory.source().apply((long) chunks * StoreLimits.CHUNK_BYTES + BEHIND_BYTES).address();
            if (held == 0) {
                // So that an empty slot can be followed without a branch.
                bases[0] = address;
            }
            for (int i = 0; i < chunks; i++) {
                bases[++held] = address + (long) i * StoreLimits.CHUNK_BYTES;
            }
            return true;
        } catch (OutOfMemoryError e) {
            // The machine has less memory than the configuration allows: the pool works with what there is.
            return false;
        }
    }

    /** Frees a chunk that no reader can reach. */
    void give(int chunk) {
        free[freeCount++] = chunk;
    }

    long base(int chunk) {
        return bases[chunk];
    }

    /** Returns the address of a position; any readable address for positions in chunk 0, which no image has. */
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

    int taken() {
        return taken;
    }

    int available() {
        return freeCount + chunksMax() - taken;
    }
}
