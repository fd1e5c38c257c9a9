package io.guidepost.server;

import io.guidepost.packet.HugePages;
import io.guidepost.store.IndexMemory;
import io.guidepost.store.StoreOptions;

/** Reads the store's options from a configuration. */
final class StoreSettings {
    /** Bytes that the index asks for at once: few calls, and no page is taken before it is touched. */
    private static final long INDEX_PIECE_BYTES = 64 << 20;

    private StoreSettings() {}

    static StoreOptions of(Configuration configuration) {
        int queueMax = configuration.get(Keys.STORE_QUEUE_MAX).intValue();
        return StoreOptions.in(configuration.get(Keys.STORE_FOLDER).toAbsolutePath())
                .withDurability(configuration.get(Keys.STORE_DURABILITY))
                .withIndexBytesMax(configuration.get(Keys.STORE_INDEX_BYTES_MAX))
                .withQueueMax(Integer.highestOneBit(2 * queueMax - 1))
                .withGroupMax(configuration.get(Keys.STORE_GROUP_MAX).intValue())
                .withGatherNanos(configuration.get(Keys.STORE_GATHER_MICROS) * 1000)
                .withBlockCacheBytes(configuration.get(Keys.STORE_BLOCK_CACHE_BYTES))
                .withMemtableBytes(configuration.get(Keys.STORE_MEMTABLE_BYTES).intValue())
                .withWalBytesKept(configuration.get(Keys.STORE_LOG_BYTES_KEPT))
                .withMemory(new IndexMemory(INDEX_PIECE_BYTES, HugePages::allocate));
    }
}
