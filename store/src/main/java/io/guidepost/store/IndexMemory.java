package io.guidepost.store;

import io.guidepost.store.index.ChunkPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/**
 * Where a read index takes its memory from, a piece at a time. It keeps what it took until the process ends.
 *
 * <p>Why an argument? Looks at random places of a large index wait mostly for the processor's page tables, and huge pages
 * spare a third of that; but this room does not call the kernel, so whoever may gives it such memory.
 *
 * @param pieceBytes bytes of one piece, at least a MiB; the last may be smaller
 * @param source gives so many bytes of zeros, at an address that is a multiple of 8
 */
public record IndexMemory(long pieceBytes, LongFunction<MemorySegment> source) {
    /** Checks the size of a piece. */
    public IndexMemory {
        if (pieceBytes < StoreLimits.CHUNK_BYTES) {
            throw new IllegalArgumentException(
                    "a piece has at least " + StoreLimits.CHUNK_BYTES + " bytes, not " + pieceBytes);
        }
    }

    /** Memory of the Java runtime: ordinary pages, touched when they are taken, so taken in small pieces. */
    public static IndexMemory ofRuntime() {
        return new IndexMemory(StoreLimits.CHUNK_BYTES, bytes -> Arena.global().allocate(bytes, ChunkPool.UNIT_BYTES));
    }
}
