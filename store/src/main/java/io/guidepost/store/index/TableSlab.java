package io.guidepost.store.index;

import io.guidepost.base.Memory;
import io.guidepost.store.StoreLimits;
import java.util.ArrayDeque;

/**
 * A slab allocator that splits chunks into tables of one size each: 2^5 to 2^17 slots of 8 bytes. All shards grow at
 * about the same time, so the chunks of an outgrown size empty and return to the pool. One writer.
 */
final class TableSlab {
    static final int LOG_MIN = 5;
    static final int LOG_MAX = Integer.numberOfTrailingZeros(StoreLimits.CHUNK_BYTES / Long.BYTES);

    private final ChunkPool pool;
    private final ArrayDeque<Block>[] free;
    private final int[] inUse;

    /** A table's memory; all slots are empty when it is taken. */
    record Block(int chunk, long address, int log) {}

    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of generic types.
    TableSlab(ChunkPool pool) {
        this.pool = pool;
        free = new ArrayDeque[LOG_MAX + 1];
        for (int log = LOG_MIN; log <= LOG_MAX; log++) {
            free[log] = new ArrayDeque<>();
        }
        inUse = new int[pool.chunksMax() + 1];
    }

    /** Takes a table of 2^log slots; null if no chunk is left. */
    @org.jspecify.annotations.Nullable Block take(int log) {
        if (free[log].isEmpty()) {
            int chunk = pool.take();
            if (chunk == 0) {
                return null;
            }
            int bytes = Long.BYTES << log;
            for (int offset = 0; offset < StoreLimits.CHUNK_BYTES; offset += bytes) {
                free[log].add(new Block(chunk, pool.base(chunk) + offset, log));
            }
        }
        Block block = free[log].removeFirst();
        inUse[block.chunk]++;
        Memory.ALL.asSlice(block.address, (long) Long.BYTES << log).fill((byte) 0);
        return block;
    }

    /** Frees a table that no reader can reach. */
    void give(Block block) {
        free[block.log].addFirst(block);
        if (--inUse[block.chunk] == 0) {
            free[block.log].removeIf(each -> each.chunk == block.chunk);
            pool.give(block.chunk);
        }
    }
}
