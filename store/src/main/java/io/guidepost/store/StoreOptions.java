package io.guidepost.store;

import io.guidepost.store.embedded.EmbeddedStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Settings of a store. Immutable; the {@code with} methods return changed copies and check the value. */
public final class StoreOptions implements Cloneable {
    private static final long MIB = 1 << 20;

    private final Path folder;
    private RecordStore.Durability durability = RecordStore.Durability.FSYNC;
    private long indexBytesMax = 4096 * MIB;
    private int queueMax = 65_536;
    private long blockCacheBytes = 32 * MIB;
    private int memtableBytes = (int) (32 * MIB);
    private long walBytesKept = 64 * MIB;
    private boolean stepped;
    private InstantSource clock = InstantSource.system();
    private LongSupplier random = () -> new SecureRandom().nextLong();
    private IndexMemory memory = IndexMemory.ofRuntime();
    private RecordStore.@Nullable Observer observer;
    private RecordStore.@Nullable Derivation derivation;
    private RecordStore.@Nullable Journal journal;

    private StoreOptions(Path folder) {
        this.folder = folder;
    }

    /** Returns a durable store in a folder, which is created if missing. */
    public static StoreOptions in(Path folder) {
        return new StoreOptions(folder);
    }

    /**
     * Returns a store without files on the heap, for simulation and tests. A large store that need not survive is
     * {@link #in} a folder with {@link RecordStore.Durability#MEMORY}.
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

    /** Returns the folder of its files; empty for a store without files. */
    public Path folder() {
        return folder;
    }

    /** Returns when a write is acknowledged; default {@link RecordStore.Durability#FSYNC}. */
    public RecordStore.Durability durability() {
        return durability;
    }

    /** Returns a copy with another {@link #durability}. */
    public StoreOptions withDurability(RecordStore.Durability value) {
        return with(copy -> copy.durability = value);
    }

    /**
     * Returns the bound on the memory of the read index, which holds some 7,000 records of one locator in a MiB; 16 MiB
     * to 1 TiB, default 4 GiB. Allocated on demand. Beyond it the oldest records are evicted and read from the engine.
     */
    public long indexBytesMax() {
        return indexBytesMax;
    }

    /** Returns a copy with another {@link #indexBytesMax}. */
    public StoreOptions withIndexBytesMax(long value) {
        range("index-bytes-max", value, 16 * MIB, MIB * MIB);
        return with(copy -> copy.indexBytesMax = value);
    }

    /**
     * Returns the bound on pending writes; a power of two from 64 to 1,048,576, default 65,536: a third of a second's
     * durable writes, so that a client sees backpressure soon.
     */
    public int queueMax() {
        return queueMax;
    }

    /** Returns a copy with another {@link #queueMax}. */
    public StoreOptions withQueueMax(int value) {
        range("queue-max", value, 64, MIB);
        if (Integer.bitCount(value) != 1) {
            throw new IllegalArgumentException("queue-max must be a power of two, not " + value);
        }
        return with(copy -> copy.queueMax = value);
    }

    /**
     * Returns the size of RocksDB's block cache; 1 MiB to 64 GiB, default 32 MiB: reads come from the index while that
     * holds all.
     */
    public long blockCacheBytes() {
        return blockCacheBytes;
    }

    /** Returns a copy with another {@link #blockCacheBytes}. */
    public StoreOptions withBlockCacheBytes(long value) {
        range("block-cache-bytes", value, MIB, 65_536 * MIB);
        return with(copy -> copy.blockCacheBytes = value);
    }

    /**
     * Returns the size of RocksDB's memtable; up to three times as much can exist at once; 512 KiB to 1 GiB, default 32
     * MiB, in parts of an eighth, which fit a processor's cache.
     */
    public int memtableBytes() {
        return memtableBytes;
    }

    /** Returns a copy with another {@link #memtableBytes}. */
    public StoreOptions withMemtableBytes(int value) {
        range("memtable-bytes", value, MIB / 2, 1024 * MIB);
        return with(copy -> copy.memtableBytes = value);
    }

    /**
     * Returns the bytes of write-ahead log kept for the change feed beyond the engine's need; 0 to 1 TiB, default 64
     * MiB: some half a million writes.
     */
    public long walBytesKept() {
        return walBytesKept;
    }

    /** Returns a copy with another {@link #walBytesKept}. */
    public StoreOptions withWalBytesKept(long value) {
        range("wal-bytes-kept", value, 0, MIB * MIB);
        return with(copy -> copy.walBytesKept = value);
    }

    /** Returns whether {@link EmbeddedStore#work} steps the committer instead of a thread; for simulation, default false. */
    public boolean stepped() {
        return stepped;
    }

    /** Returns a copy with another {@link #stepped}. */
    public StoreOptions withStepped(boolean value) {
        return with(copy -> copy.stepped = value);
    }

    /** Returns the clock; default the system's. */
    public InstantSource clock() {
        return clock;
    }

    /** Returns a copy with another {@link #clock}. */
    public StoreOptions withClock(InstantSource value) {
        return with(copy -> copy.clock = value);
    }

    /** Returns the source of the hash's secrets; default {@link SecureRandom}. */
    public LongSupplier random() {
        return random;
    }

    /** Returns a copy with another {@link #random}. */
    public StoreOptions withRandom(LongSupplier value) {
        return with(copy -> copy.random = value);
    }

    /** Returns the source of the index's memory; default the Java runtime, without huge pages. */
    public IndexMemory memory() {
        return memory;
    }

    /** Returns a copy with another {@link #memory}. */
    public StoreOptions withMemory(IndexMemory value) {
        return with(copy -> copy.memory = value);
    }

    /** Returns the observer of every change; default none. */
    public RecordStore.@Nullable Observer observer() {
        return observer;
    }

    /** Returns a copy with one more {@link #observer}, behind those that it has. */
    public StoreOptions withObserver(RecordStore.Observer value) {
        RecordStore.Observer before = observer;
        return with(copy -> copy.observer = before == null ? value : before.and(value));
    }

    /** Returns the derivation of records; default none. */
    public RecordStore.@Nullable Derivation derivation() {
        return derivation;
    }

    /** Returns a copy with one more {@link #derivation}, behind those that it has. */
    public StoreOptions withDerivation(RecordStore.Derivation value) {
        RecordStore.Derivation before = derivation;
        return with(copy -> copy.derivation = before == null ? value : before.and(value));
    }

    /** Returns the journal; default none. */
    public RecordStore.@Nullable Journal journal() {
        return journal;
    }

    /** Returns a copy with another {@link #journal}. */
    public StoreOptions withJournal(RecordStore.Journal value) {
        return with(copy -> copy.journal = value);
    }
}
