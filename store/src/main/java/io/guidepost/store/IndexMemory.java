package io.guidepost.store;

import io.guidepost.store.index.ChunkPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/**
 * The source of the read index's memory, a piece at a time. The index keeps the memory until the process ends.
 *
 * <p>Why an argument? Random reads of a large index wait mostly for TLB misses, and huge pages save a third of that;
 * but this module does not call the kernel, so the server passes huge pages in.
 *
 * @param pieceBytes bytes of one piece, at least a MiB; the last may be smaller
 * @param source returns zeroed memory of a size, at an address that is a multiple of 8
 */
public record IndexMemory(long pieceBytes, LongFunction<MemorySegment> source) {
    /** Checks the size of a piece. */
    public IndexMemory {
        if (pieceBytes < StoreLimits.CHUNK_BYTES) {
            throw new IllegalArgumentException(
                    "a piece has at least " + StoreLimits.CHUNK_BYTES + " bytes, not " + pieceBytes);
        }
    }

    /** Returns the Java runtime's memory: ordinary pages, touched when they are taken, so taken in small pieces. */
    public static IndexMemory ofRuntime() {
        return new IndexMemory(StoreLimits.CHUNK_BYTES, bytes -> Arena.global().allocate(bytes, ChunkPool.UNIT_BYTES));
    }
}
