package io.guidepost.store;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WALRecoveryMode;

/**
 * How RocksDB is set up here, and why.
 *
 * <p>The memtable is the skip list. A vector takes writes 15 % cheaper, but a single get of a key that is not yet
 * flushed sorts a copy of all of it (35 to 330 ms measured), and such gets happen whenever the index does not hold
 * everything.
 */
final class RocksTuning implements AutoCloseable {
    private static final double FILTER_BITS_PER_KEY = 10;
    private static final long FILE_BYTES = 32 << 20;

    private final LRUCache cache;
    private final BloomFilter filter = new BloomFilter(FILTER_BITS_PER_KEY);
    private final Options options = new Options();

    RocksTuning(StoreOptions store) {
        cache = new LRUCache(store.blockCacheBytes());
        options.setTableFormatConfig(new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setBlockSize(8 << 10)
                .setFilterPolicy(filter)
                // Counted in the cache, so that its bound holds for filters and indexes too.
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true));
        options.setWriteBufferSize(store.memtableBytes())
                .setMaxWriteBufferNumber(3)
                .setTargetFileSizeBase(FILE_BYTES)
                .setMaxBytesForLevelBase(8 * FILE_BYTES)
                .setMaxBackgroundJobs(2)
                .setBytesPerSync(1 << 20)
                // Records are small and mostly hashes and addresses: there is nothing to compress.
                .setCompressionType(CompressionType.NO_COMPRESSION);
        // A log cut off by a crash is read up to there; damage before its end refuses to open instead of losing writes.
        options.setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
                .setParanoidChecks(true)
                .setWalTtlSeconds(0)
                .setWalSizeLimitMB(store.walBytesKept() >> 20);
        // One thread writes: what RocksDB does for many costs it time.
        options.setAllowConcurrentMemtableWrite(false).setEnableWriteThreadAdaptiveYield(false);
        options.setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                .setMaxLogFileSize(1 << 20)
                .setStatsDumpPeriodSec(0);
    }

    Options options() {
        return options;
    }

    @Override
    public void close() {
        options.close();
        filter.close();
        cache.close();
    }
}
