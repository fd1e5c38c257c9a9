package io.guidepost.store.engine;

import io.guidepost.base.DurableFiles;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreDamagedException;
import io.guidepost.store.StoreLimits;
import io.guidepost.store.StoreLockedException;
import io.guidepost.store.StoreOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The RocksDB engine: an LSM tree with a write-ahead log. After a write error it refuses all writes until {@link #recover}
 * reopens it; a read-write lock keeps readers from the closed handle meanwhile. Where the disk has no room for the files of an
 * opening, it reads what is there, and refuses writes in the same way.
 */
public final class RocksEngine implements StorageEngine {
    private static final System.Logger LOG = System.getLogger(RocksEngine.class.getName());

    /** The folders open in this process, each once: closing any handle of a lock's file in a process gives up its lock. */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final RocksTuning tuning;
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private final WriteOptions unsynced = new WriteOptions();
    private final boolean logged;

    /** Reads ahead as a visit goes on, up to 256 KiB: with a fixed size each of many short visits would read that of each file. */
    private final ReadOptions once = new ReadOptions().setFillCache(false);

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private @Nullable RocksDB db;
    private boolean ended;
    private volatile String damage = "";

    /** Why the files are open for reading alone; empty while they are not. */
    private volatile String refusal = "";

    /** Keeps others away while RocksDB, which reads alone then, does not. */
    private @Nullable FileChannel guard;

    /** Opens the files in a folder, or creates them if the layout tells that they never existed. */
    public static RocksEngine open(StoreFolder layout, StoreOptions options) throws IOException {
        // Before the first object of RocksDB is created.
        RocksLibrary.load();
        return new RocksEngine(layout, options);
    }

    /**
     * Visits the values of a store that another process has open, in key order.
     *
     * @return the number of the last write that was visited
     * @throws IOException if they cannot be read beside the other process
     */
    public static long visitBeside(Path store, StoreOptions options, Visitor visitor) throws IOException {
        RocksLibrary.load();
        Path files = new StoreFolder(store).engine();
        try (RocksTuning tuning = new RocksTuning(options);
                RocksDB beside = RocksDB.openReadOnly(tuning.options(), files.toString());
                ReadOptions reading = new ReadOptions().setFillCache(false).setReadaheadSize(1 << 20);
                RocksIterator each = beside.newIterator(reading)) {
            each.seek(new byte[] {1});
            while (each.isValid() && visitor.take(each.key(), each.value())) {
                each.next();
            }
            each.status();
            return beside.getLatestSequenceNumber();
        } catch (RocksDBException e) {
            throw RocksErrors.opening(files, e);
        }
    }

    private RocksEngine(StoreFolder layout, StoreOptions options) throws IOException {
        DurableFiles.createFolders(layout.engine());
        folder = layout.engine().toRealPath();
        if (!OPEN.add(folder)) {
            throw new StoreLockedException(folder);
        }
        tuning = new RocksTuning(options);
        logged = options.durability() != RecordStore.Durability.MEMORY;
        unsynced.setDisableWAL(!logged);
        try {
            db = open(layout.isNew());
            layout.ready();
        } catch (IOException | RuntimeException e) {
            if (db != null) {
                db.close();
            }
            free();
            unguard();
            throw e;
        }
    }

    private RocksDB open(boolean fresh) throws IOException {
        unguard();
        refusal = "";
        LogTail.cut(folder);
        try {
            return RocksDB.open(tuning.options().setCreateIfMissing(fresh), folder.toString());
        } catch (RocksDBException e) {
            IOException failure = RocksErrors.opening(folder, e);
            if (fresh || !RocksErrors.isFull(e)) {
                throw failure;
            }
            refusal = String.valueOf(failure.getMessage());
            return openForReading();
        }
    }

    private RocksDB openForReading() throws IOException {
        FileChannel file = FileChannel.open(folder.resolve("LOCK"), StandardOpenOption.WRITE);
        guard = file;
        try {
            if (file.tryLock() == null) {
                throw new StoreLockedException(folder);
            }
            return RocksDB.openReadOnly(tuning.options(), folder.toString());
        } catch (IOException | RocksDBException | OverlappingFileLockException e) {
            unguard();
            throw switch (e) {
                case IOException failure -> failure;
                case RocksDBException failure -> RocksErrors.opening(folder, failure);
                default -> new StoreLockedException(folder);
            };
        }
    }

    private void unguard() throws IOException {
        if (guard != null) {
            guard.close();
            guard = null;
        }
    }

    @Override
    public String refusal() {
        return refusal;
    }

    private RocksDB db() throws IOException {
        RocksDB open = db;
        if (open == null) {
            throw new IOException(folder + ": closed, or being opened again after the disk refused a write");
        }
        return open;
    }

    @Override
    public byte @Nullable [] get(byte[] key) throws IOException {
        lock.readLock().lock();
        try {
            return db().get(key);
        } catch (RocksDBException e) {
            throw reading(e);
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public void write(WriteBatchBuffer batch, boolean sync) throws IOException {
        lock.readLock().lock();
        try (WriteBatch writes = new WriteBatch(batch.toBytes(sync))) {
            db().write(sync ? synced : unsynced, writes);
        } catch (RocksDBException e) {
            throw RocksErrors.writing(folder, e);
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public void visit(byte[] from, Visitor visitor) throws IOException {
        lock.readLock().lock();
        try (RocksIterator each = db().newIterator(once)) {
            for (each.seek(from); each.isValid(); each.next()) {
                if (!visitor.take(each.key(), each.value())) {
                    break;
                }
            }
            each.status();
        } catch (RocksDBException e) {
            throw reading(e);
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public long sequence() {
        lock.readLock().lock();
        try {
            RocksDB open = db;
            return open == null ? 0 : open.getLatestSequenceNumber();
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public long changes(long after, long upTo, Predicate<RecordStore.ChangeEvent> visitor)
            throws IOException, RecordStore.TooOld {
        if (!logged) {
            throw new IOException(folder + ": durability memory keeps no log, so there are no changes to follow");
        }
        lock.readLock().lock();
        try {
            return RocksChangeFeed.changes(db(), after, upTo, visitor);
        } catch (RocksDBException e) {
            throw reading(e);
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public void checkpoint(Path target) throws IOException {
        lock.readLock().lock();
        try (Checkpoint checkpoint = Checkpoint.create(db())) {
            checkpoint.createCheckpoint(target.toString());
        } catch (RocksDBException e) {
            throw RocksErrors.writing(target, e);
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public void recover(WriteBatchBuffer undo, boolean sync) throws IOException {
        probe();
        lock.writeLock().lock();
        try {
            if (db != null) {
                db.close();
                db = null;
            }
            RocksDB open = open(false);
            if (!refusal.isEmpty()) {
                db = open;
                throw new IOException(refusal);
            }
            try (WriteBatch writes = new WriteBatch(undo.toBytes(sync))) {
                open.write(sync ? synced : unsynced, writes);
            } catch (RocksDBException e) {
                open.close();
                throw RocksErrors.writing(folder, e);
            }
            db = open;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Probes whether the disk accepts writes: until then the old handle still serves reads. */
    private void probe() throws IOException {
        Path file = folder.resolve("probe.tmp");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.allocate(StoreLimits.PROBE_BYTES);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private IOException reading(RocksDBException e) {
        IOException told = RocksErrors.reading(folder, e);
        if (told instanceof StoreDamagedException && damage.isEmpty()) {
            damage = String.valueOf(told.getMessage());
        }
        return told;
    }

    @Override
    public String damage() {
        return damage;
    }

    @Override
    public long recordsEstimate() {
        // A status estimate is not worth waiting for the reopening.
        if (!lock.readLock().tryLock()) {
            return 0;
        }
        try {
            RocksDB open = db;
            return open == null ? 0 : open.getLongProperty("rocksdb.estimate-num-keys");
        } catch (RocksDBException e) {
            return 0;
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public void settle() {
        lock.readLock().lock();
        try {
            RocksDB open = db;
            if (open != null && refusal.isEmpty()) {
                flush(open);
            }
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public void release() {
        lock.writeLock().lock();
        try {
            closeFiles();
            OPEN.remove(folder);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "{0}: its lock stays: {1}", folder, e.getMessage());
        } finally {
            lock.writeLock().unlock();
        }
    }

    @Override
    public void reacquire() throws IOException {
        lock.writeLock().lock();
        try {
            if (!OPEN.add(folder)) {
                throw new StoreLockedException(folder);
            }
            try {
                db = open(false);
            } catch (IOException | RuntimeException e) {
                OPEN.remove(folder);
                throw e;
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void closeFiles() throws IOException {
        RocksDB open = db;
        db = null;
        if (open != null) {
            if (refusal.isEmpty()) {
                flush(open);
            }
            open.close();
            unguard();
        }
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            closeFiles();
            if (!ended) {
                ended = true;
                free();
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "{0}: its lock stays: {1}", folder, e.getMessage());
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Flushes the memtable, so that the next start replays no log. */
    private void flush(RocksDB open) {
        try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
            open.syncWal();
            open.flush(wait);
        } catch (RocksDBException e) {
            LOG.log(System.Logger.Level.WARNING, "{0}: not flushed on closing: {1}", folder, e.getMessage());
        }
    }

    private void free() {
        synced.close();
        unsynced.close();
        once.close();
        tuning.close();
        OPEN.remove(folder);
    }
}
