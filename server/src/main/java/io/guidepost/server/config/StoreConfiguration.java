package io.guidepost.server.config;

import io.guidepost.packet.linux.HugePages;
import io.guidepost.store.IndexMemory;
import io.guidepost.store.StoreOptions;

/** Reads the store's options from a configuration. */
public final class StoreConfiguration {
    /** Bytes that the index asks for at once: few calls, and no page is taken before it is touched. */
    private static final long INDEX_PIECE_BYTES = 64 << 20;

    /** Share of the memory that a part of the engine has: reads come from the index, so it needs little. */
    private static final int ENGINE_SHARE = 128;

    private static final long ENGINE_BYTES_MIN = 1 << 20;

    /** With more, an eighth of a memtable no longer fits a processor's cache. */
    private static final long ENGINE_BYTES_MAX = 32 << 20;

    /** The block cache, and memtables: one is written, two wait for the disk. */
    private static final int ENGINE_PARTS = 4;

    private StoreConfiguration() {}

    public static StoreOptions of(Configuration configuration) {
        long memory = configuration.get(ConfigurationKeys.STORE_MEMORY);
        long part = Math.clamp(memory / ENGINE_SHARE, ENGINE_BYTES_MIN, ENGINE_BYTES_MAX);
        return StoreOptions.in(configuration.get(ConfigurationKeys.STORE_FOLDER).toAbsolutePath())
                .withDurability(configuration.get(ConfigurationKeys.STORE_DURABILITY))
                .withIndexBytesMax(memory - ENGINE_PARTS * part)
                .withBlockCacheBytes(part)
                .withMemtableBytes((int) part)
                .withMemory(new IndexMemory(INDEX_PIECE_BYTES, HugePages::allocate));
    }
}
