package io.guidepost.store.engine;

import io.guidepost.store.StoreOptions;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WALRecoveryMode;

/**
 * RocksDB's settings, with reasons.
 *
 * <p>The memtable is the skip list, in {@value #BUFFERS} parts that are merged when they are written out: a small list
 * fits a processor's cache, which makes writes a quarter cheaper than one list of the same bytes (1.4 to 2.1 against
 * 2.2 to 2.8 µs of CPU each, flush and compaction included). A vector would be about as cheap, but a single get of a
 * key that is not yet flushed sorts a copy of all of it (35 to 330 ms), and such gets happen whenever the index does
 * not hold everything.
 */
final class RocksTuning implements AutoCloseable {
    static final int BUFFERS = 8;
    private static final double FILTER_BITS_PER_KEY = 10;
    private static final long FILE_BYTES = 32 << 20;
    private static final int LEVEL0_FILES = 16;

    private final LRUCache cache;
    private final BloomFilter filter = new BloomFilter(FILTER_BITS_PER_KEY);
    private final DBOptions logs;
    private final ColumnFamilyOptions plain = new ColumnFamilyOptions();
    private final Options options;

    RocksTuning(StoreOptions store) {
        cache = new LRUCache(store.blockCacheBytes());
        // The binding has no method for this one.
        Properties verified = new Properties();
        verified.setProperty("track_and_verify_wals", "true");
        logs = DBOptions.getDBOptionsFromProps(verified);
        options = new Options(logs, plain);
        options.setTableFormatConfig(new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setBlockSize(8 << 10)
                .setFilterPolicy(filter)
                // Counted in the cache, so that its bound includes filters and indexes.
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true));
        options.setWriteBufferSize(store.memtableBytes() / BUFFERS)
                .setMinWriteBufferNumberToMerge(BUFFERS)
                .setMaxWriteBufferNumber(3 * BUFFERS)
                .setTargetFileSizeBase(FILE_BYTES)
                // Few merges of many files halve write amplification. Reads that reach the engine check more files, but
                // each has a Bloom filter, and few reads come.
                .setLevel0FileNumCompactionTrigger(LEVEL0_FILES)
                .setLevel0SlowdownWritesTrigger(2 * LEVEL0_FILES)
                .setLevel0StopWritesTrigger(3 * LEVEL0_FILES)
                // As large as the files of the level above, which are merged into it at once.
                .setMaxBytesForLevelBase(Math.max((long) LEVEL0_FILES * store.memtableBytes(), FILE_BYTES))
                .setMaxBackgroundJobs(2)
                .setBytesPerSync(1 << 20)
                .setWalBytesPerSync(1 << 20)
                // Records are small and mostly hashes and addresses: there is nothing to compress.
                .setCompressionType(CompressionType.NO_COMPRESSION);
        // What is torn or damaged in a log, LogTail has cut off or refused. Each log tells how long the one before it was: if
        // that lost its end, the log after it is not replayed, which would leave a hole in history.
        options.setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
                .setParanoidChecks(true)
                .setWalTtlSeconds(0)
                // Logs that are kept for the change feed are not recycled: RocksDB sets recycle_log_file_num to 0 beside this one, and
                // says nothing. Without it, a feed begins where the logs in use do, even if it is asked for what was before them.
                .setWalSizeLimitMB(store.walBytesKept() >> 20);
        // One thread writes: RocksDB's concurrent write path would cost it time.
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
        logs.close();
        plain.close();
        filter.close();
        cache.close();
    }
}
