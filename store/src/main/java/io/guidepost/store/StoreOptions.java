package io.guidepost.store;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * How a store is opened. Immutable; the {@code with} methods give changed copies.
 *
 * @param folder where its files are; not used with {@link RecordStore.Durability#MEMORY}
 * @param durability when a write is acknowledged; default {@link RecordStore.Durability#FSYNC}
 * @param indexBytesMax bound on the memory of the read index, which holds some 7,000 records of one place in a MiB; 16
 *     MiB to 1 TiB, default 4 GiB. Taken as it is needed. When it is reached the oldest records are read from the
 *     engine
 * @param queueMax writes that may wait for the committer; a power of two from 64 to 1,048,576, default 65,536: a third
 *     of a second's durable writes, so that a sender hears of overload soon
 * @param groupMax writes made durable with one sync; 1 to 65,536, default 4,096
 * @param blockCacheBytes memory of the engine's cache of its files; 1 MiB to 64 GiB, default 32 MiB: reads come from
 *     the index as long as that holds all
 * @param memtableBytes memory of the engine for writes that the next sorted file will hold; up to three times as much
 *     can exist at once; 512 KiB to 1 GiB, default 16 MiB, in parts of an eighth, which fit a processor's cache
 * @param walBytesKept log kept for the change feed beyond what the engine itself needs; 0 to 1 TiB, default 64 MiB:
 *     some half a million writes
 * @param stepped whether the committer is stepped by {@link EmbeddedStore#work} instead of by a thread of its own; for
 *     simulation, default false
 * @param clock the time; default the system's
 * @param random gives the secrets of the index's hash; default {@link SecureRandom}
 */
public record StoreOptions(
        Path folder,
        RecordStore.Durability durability,
        long indexBytesMax,
        int queueMax,
        int groupMax,
        long blockCacheBytes,
        int memtableBytes,
        long walBytesKept,
        boolean stepped,
        InstantSource clock,
        LongSupplier random) {

    private static final long MIB = 1 << 20;

    /** Checks the ranges. */
    public StoreOptions {
        range("index-bytes-max", indexBytesMax, 16 * MIB, MIB * MIB);
        range("queue-max", queueMax, 64, MIB);
        if (Integer.bitCount(queueMax) != 1) {
            throw new IllegalArgumentException("queue-max must be a power of two, not " + queueMax);
        }
        range("group-max", groupMax, 1, 65_536);
        range("block-cache-bytes", blockCacheBytes, MIB, 65_536 * MIB);
        range("memtable-bytes", memtableBytes, MIB / 2, 1024 * MIB);
        range("wal-bytes-kept", walBytesKept, 0, MIB * MIB);
    }

    /** A durable store in a folder, which is made if it does not exist. */
    public static StoreOptions in(Path folder) {
        return new StoreOptions(
                folder,
                RecordStore.Durability.FSYNC,
                4096 * MIB,
                65_536,
                4_096,
                32 * MIB,
                (int) (16 * MIB),
                64 * MIB,
                false,
                InstantSource.system(),
                () -> new SecureRandom().nextLong());
    }

    /** A store that is lost with the process. */
    public static StoreOptions inMemory() {
        return in(Path.of("")).withDurability(RecordStore.Durability.MEMORY);
    }

    private static void range(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be from " + min + " to " + max + ", not " + value);
        }
    }

    /** A copy with another {@link #durability}. */
    public StoreOptions withDurability(RecordStore.Durability value) {
        return new StoreOptions(
                folder,
                value,
                indexBytesMax,
                queueMax,
                groupMax,
                blockCacheBytes,
                memtableBytes,
                walBytesKept,
                stepped,
                clock,
                random);
    }

    /** A copy with another {@link #indexBytesMax}. */
    public StoreOptions withIndexBytesMax(long value) {
        return new StoreOptions(
                folder,
                durability,
                value,
                queueMax,
                groupMax,
                blockCacheBytes,
                memtableBytes,
                walBytesKept,
                stepped,
                clock,
                random);
    }

    /** A copy with another {@link #queueMax}. */
    public StoreOptions withQueueMax(int value) {
        return new StoreOptions(
                folder,
                durability,
                indexBytesMax,
                value,
                groupMax,
                blockCacheBytes,
                memtableBytes,
                walBytesKept,
                stepped,
                clock,
                random);
    }

    /** A copy with another {@link #groupMax}. */
    public StoreOptions withGroupMax(int value) {
        return new StoreOptions(
                folder,
                durability,
                indexBytesMax,
                queueMax,
                value,
                blockCacheBytes,
                memtableBytes,
                walBytesKept,
                stepped,
                clock,
                random);
    }

    /** A copy with another {@link #blockCacheBytes}. */
    public StoreOptions withBlockCacheBytes(long value) {
        return new StoreOptions(
                folder,
                durability,
                indexBytesMax,
                queueMax,
                groupMax,
                value,
                memtableBytes,
                walBytesKept,
                stepped,
                clock,
                random);
    }

    /** A copy with another {@link #memtableBytes}. */
    public StoreOptions withMemtableBytes(int value) {
        return new StoreOptions(
                folder,
                durability,
                indexBytesMax,
                queueMax,
                groupMax,
                blockCacheBytes,
                value,
                walBytesKept,
                stepped,
                clock,
                random);
    }

    /** A copy with another {@link #walBytesKept}. */
    public StoreOptions withWalBytesKept(long value) {
        return new StoreOptions(
                folder,
                durability,
                indexBytesMax,
                queueMax,
                groupMax,
                blockCacheBytes,
                memtableBytes,
                value,
                stepped,
                clock,
                random);
    }

    /** A copy with another {@link #stepped}. */
    public StoreOptions withStepped(boolean value) {
        return new StoreOptions(
                folder,
                durability,
                indexBytesMax,
                queueMax,
                groupMax,
                blockCacheBytes,
                memtableBytes,
                walBytesKept,
                value,
                clock,
                random);
    }

    /** A copy with another {@link #clock}. */
    public StoreOptions withClock(InstantSource value) {
        return new StoreOptions(
                folder,
                durability,
                indexBytesMax,
                queueMax,
                groupMax,
                blockCacheBytes,
                memtableBytes,
                walBytesKept,
                stepped,
                value,
                random);
    }

    /** A copy with another {@link #random}. */
    public StoreOptions withRandom(LongSupplier value) {
        return new StoreOptions(
                folder,
                durability,
                indexBytesMax,
                queueMax,
                groupMax,
                blockCacheBytes,
                memtableBytes,
                walBytesKept,
                stepped,
                clock,
                value);
    }
}
