package io.guidepost.server.config;

import io.guidepost.packet.linux.HugePages;
import io.guidepost.store.IndexMemory;
import io.guidepost.store.StoreOptions;

/** Reads the store's options from a configuration. */
public final class StoreConfiguration {
    /** Bytes that the index asks for at once: few calls, and no page is taken before it is touched. */
    private static final long INDEX_PIECE_BYTES = 64 << 20;

    private StoreConfiguration() {}

    public static StoreOptions of(Configuration configuration) {
        int queueMax = configuration.get(ConfigurationKeys.STORE_QUEUE_MAX).intValue();
        return StoreOptions.in(configuration.get(ConfigurationKeys.STORE_FOLDER).toAbsolutePath())
                .withDurability(configuration.get(ConfigurationKeys.STORE_DURABILITY))
                .withIndexBytesMax(configuration.get(ConfigurationKeys.STORE_INDEX_BYTES_MAX))
                .withQueueMax(Integer.highestOneBit(2 * queueMax - 1))
                .withGroupMax(configuration.get(ConfigurationKeys.STORE_GROUP_MAX).intValue())
                .withGatherNanos(configuration.get(ConfigurationKeys.STORE_GATHER_MICROS) * 1000)
                .withBlockCacheBytes(configuration.get(ConfigurationKeys.STORE_BLOCK_CACHE_BYTES))
                .withMemtableBytes(configuration.get(ConfigurationKeys.STORE_MEMTABLE_BYTES).intValue())
                .withWalBytesKept(configuration.get(ConfigurationKeys.STORE_LOG_BYTES_KEPT))
                .withMemory(new IndexMemory(INDEX_PIECE_BYTES, HugePages::allocate));
    }
}
