package io.guidepost.store;

import io.guidepost.store.embedded.EmbeddedStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How a store is opened. Immutable; the {@code with} methods give changed copies, and check the value. */
public final class StoreOptions implements Cloneable {
    private static final long MIB = 1 << 20;

    private final Path folder;
    private RecordStore.Durability durability = RecordStore.Durability.FSYNC;
    private long indexBytesMax = 4096 * MIB;
    private int queueMax = 65_536;
    private int groupMax = 4_096;
    private long gatherNanos = 1_000_000;
    private long blockCacheBytes = 32 * MIB;
    private int memtableBytes = (int) (32 * MIB);
    private long walBytesKept = 64 * MIB;
    private boolean stepped;
    private InstantSource clock = InstantSource.system();
    private LongSupplier random = () -> new SecureRandom().nextLong();
    private IndexMemory memory = IndexMemory.ofRuntime();
    private RecordStore.@Nullable Observer observer;
    private RecordStore.@Nullable Derivation derivation;

    private StoreOptions(Path folder) {
        this.folder = folder;
    }

    /** A durable store in a folder, which is made if it does not exist. */
    public static StoreOptions in(Path folder) {
        return new StoreOptions(folder);
    }

    /**
     * A store without files, on the heap, which bounds it: for simulation and tests. One that may grow, and need not
     * survive, is {@link #in} a folder with {@link RecordStore.Durability#MEMORY}.
     */
    public static StoreOptions inMemory() {
        return in(Path.of("")).withDurability(RecordStore.Durability.MEMORY);
    }

    private StoreOptions with(Consumer<StoreOptions> change) {
        StoreOptions copy;
        try {
            copy = (StoreOptions) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
        change.accept(copy);
        return copy;
    }

    private static void range(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be from " + min + " to " + max + ", not " + value);
        }
    }

    /** Where its files are; empty for a store without files. */
    public Path folder() {
        return folder;
    }

    /** When a write is acknowledged; default {@link RecordStore.Durability#FSYNC}. */
    public RecordStore.Durability durability() {
        return durability;
    }

    /** A copy with another {@link #durability}. */
    public StoreOptions withDurability(RecordStore.Durability value) {
        return with(copy -> copy.durability = value);
    }

    /**
     * Bound on the memory of the read index, which holds some 7,000 records of one place in a MiB; 16 MiB to 1
     * TiB, default 4 GiB. Taken as it is needed. When it is reached the oldest records are read from the engine.
     */
    public long indexBytesMax() {
        return indexBytesMax;
    }

    /** A copy with another {@link #indexBytesMax}. */
    public StoreOptions withIndexBytesMax(long value) {
        range("index-bytes-max", value, 16 * MIB, MIB * MIB);
        return with(copy -> copy.indexBytesMax = value);
    }

    /**
     * Writes that may wait for the committer; a power of two from 64 to 1,048,576, default 65,536: a third of a
     * second's durable writes, so that a sender hears of overload soon.
     */
    public int queueMax() {
        return queueMax;
    }

    /** A copy with another {@link #queueMax}. */
    public StoreOptions withQueueMax(int value) {
        range("queue-max", value, 64, MIB);
        if (Integer.bitCount(value) != 1) {
            throw new IllegalArgumentException("queue-max must be a power of two, not " + value);
        }
        return with(copy -> copy.queueMax = value);
    }

    /** Writes made durable with one sync; 1 to 65,536, default 4,096. */
    public int groupMax() {
        return groupMax;
    }

    /** A copy with another {@link #groupMax}. */
    public StoreOptions withGroupMax(int value) {
        range("group-max", value, 1, 65_536);
        return with(copy -> copy.groupMax = value);
    }

    /**
     * How long a group waits at most for writes that are likely to come, see {@code CommitterThread}; 0 to 10,000,000, default
     * 1,000,000. With 0 every write goes as soon as the last group is done.
     */
    public long gatherNanos() {
        return gatherNanos;
    }

    /** A copy with another {@link #gatherNanos}. */
    public StoreOptions withGatherNanos(long value) {
        range("gather-nanos", value, 0, 10_000_000);
        return with(copy -> copy.gatherNanos = value);
    }

    /**
     * Memory of the engine's cache of its files; 1 MiB to 64 GiB, default 32 MiB: reads come from the index as
     * long as that holds all.
     */
    public long blockCacheBytes() {
        return blockCacheBytes;
    }

    /** A copy with another {@link #blockCacheBytes}. */
    public StoreOptions withBlockCacheBytes(long value) {
        range("block-cache-bytes", value, MIB, 65_536 * MIB);
        return with(copy -> copy.blockCacheBytes = value);
    }

    /**
     * Memory of the engine for writes that the next sorted file will hold; up to three times as much can exist
     * at once; 512 KiB to 1 GiB, default 32 MiB, in parts of an eighth, which fit a processor's cache.
     */
    public int memtableBytes() {
        return memtableBytes;
    }

    /** A copy with another {@link #memtableBytes}. */
    public StoreOptions withMemtableBytes(int value) {
        range("memtable-bytes", value, MIB / 2, 1024 * MIB);
        return with(copy -> copy.memtableBytes = value);
    }

    /**
     * Log kept for the change feed beyond what the engine itself needs; 0 to 1 TiB, default 64 MiB: some half a
     * million writes.
     */
    public long walBytesKept() {
        return walBytesKept;
    }

    /** A copy with another {@link #walBytesKept}. */
    public StoreOptions withWalBytesKept(long value) {
        range("wal-bytes-kept", value, 0, MIB * MIB);
        return with(copy -> copy.walBytesKept = value);
    }

    /**
     * Whether the committer is stepped by {@link EmbeddedStore#work} instead of by a thread of its own; for
     * simulation, default false.
     */
    public boolean stepped() {
        return stepped;
    }

    /** A copy with another {@link #stepped}. */
    public StoreOptions withStepped(boolean value) {
        return with(copy -> copy.stepped = value);
    }

    /** The time; default the system's. */
    public InstantSource clock() {
        return clock;
    }

    /** A copy with another {@link #clock}. */
    public StoreOptions withClock(InstantSource value) {
        return with(copy -> copy.clock = value);
    }

    /** Gives the secrets of the index's hash; default {@link SecureRandom}. */
    public LongSupplier random() {
        return random;
    }

    /** A copy with another {@link #random}. */
    public StoreOptions withRandom(LongSupplier value) {
        return with(copy -> copy.random = value);
    }

    /** Where the index takes its memory from; default the Java runtime, which has no huge pages. */
    public IndexMemory memory() {
        return memory;
    }

    /** A copy with another {@link #memory}. */
    public StoreOptions withMemory(IndexMemory value) {
        return with(copy -> copy.memory = value);
    }

    /** Hears of every change; default nobody. */
    public RecordStore.@Nullable Observer observer() {
        return observer;
    }

    /** A copy with another {@link #observer}. */
    public StoreOptions withObserver(RecordStore.Observer value) {
        return with(copy -> copy.observer = value);
    }

    /** Makes records from others; default nobody. */
    public RecordStore.@Nullable Derivation derivation() {
        return derivation;
    }

    /** A copy with another {@link #derivation}. */
    public StoreOptions withDerivation(RecordStore.Derivation value) {
        return with(copy -> copy.derivation = value);
    }
}
