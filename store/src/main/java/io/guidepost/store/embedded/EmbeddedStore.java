package io.guidepost.store.embedded;

import io.guidepost.base.Memory;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.ReadThroughReader;
import io.guidepost.store.RecordChanges;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreDamagedException;
import io.guidepost.store.StoreLimits;
import io.guidepost.store.StoreLockedException;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.StoreStatus;
import io.guidepost.store.StoredForm;
import io.guidepost.store.WritesRefusedException;
import io.guidepost.store.engine.MemoryEngine;
import io.guidepost.store.engine.RocksEngine;
import io.guidepost.store.engine.StorageEngine;
import io.guidepost.store.engine.StoreBackup;
import io.guidepost.store.engine.StoreFolder;
import io.guidepost.store.index.ReadIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The store inside this process: RocksDB keeps the records, a {@link Committer} writes them, a {@link ReadIndex} serves
 * lookups.
 *
 * <p>It serves as soon as it is open, by read-through from the engine until the index is warm. All methods are
 * thread-safe; those that wait for a write must not be called from a {@link RecordStore.Completion}.
 */
public final class EmbeddedStore implements RecordStore {
    /** A key of no record. */
    private static final byte[] BARRIER = {1, 0};

    private static final System.Logger LOG = System.getLogger(EmbeddedStore.class.getName());

    private final StorageEngine engine;
    private final ReadIndex index;
    private final ChangeQueue queue;
    private final Committer committer;
    private final @Nullable CommitterThread thread;
    private final LongAdder queueFull = new LongAdder();
    private final ConcurrentLinkedDeque<RecordReader> readers = new ConcurrentLinkedDeque<>();
    private final java.time.InstantSource clock;
    private final @Nullable Derivation derivation;
    private volatile boolean closing;
    private volatile boolean released;
    private volatile boolean closed;

    private EmbeddedStore(StorageEngine engine, StoreOptions options, @Nullable WarmIndex warm) throws IOException {
        this.engine = engine;
        clock = options.clock();
        derivation = options.derivation();
        index = warm == null ? WarmIndex.empty(options) : warm.after(engine, options);
        queue = new ChangeQueue(options.queueMax());
        committer = new Committer(engine, index, queue, new DiskReserve(options.folder().toFile()), options);
        thread = options.stepped() ? null : new CommitterThread(committer, queue, StoreLimits.GATHER_NANOS_MAX);
    }

    /** Returns whether a folder has a store, whole or not. */
    public static boolean exists(Path folder) {
        return Files.exists(folder.resolve(StoreFolder.MARK));
    }

    /**
     * Opens a store, or creates it if its folder is empty or missing.
     *
     * @throws StoreDamagedException if the files are not those of a whole store that this version can read
     * @throws StoreLockedException if the store is open elsewhere
     */
    public static EmbeddedStore open(StoreOptions options) throws IOException {
        return open(options, null);
    }

    /** The same with an index that was read before; null = it is read once the store is open. */
    public static EmbeddedStore open(StoreOptions options, @Nullable WarmIndex warm) throws IOException {
        StorageEngine engine = options.folder().toString().isEmpty()
                ? new MemoryEngine()
                : RocksEngine.open(StoreFolder.open(options.folder()), options);
        return open(engine, options, warm);
    }

    static EmbeddedStore open(StorageEngine engine, StoreOptions options) throws IOException {
        return open(engine, options, null);
    }

    private static EmbeddedStore open(StorageEngine engine, StoreOptions options, @Nullable WarmIndex warm) throws IOException {
        try {
            return new EmbeddedStore(engine, options, warm);
        } catch (IOException | RuntimeException | Error e) {
            engine.close();
            throw e;
        }
    }

    /**
     * Runs one round of the committer, for stores opened with {@link StoreOptions#stepped}; by one thread.
     *
     * @return the work done, 0 if there was none
     */
    public int work() {
        if (thread != null) {
            throw new IllegalStateException("this store has a committer thread; open it stepped to step it");
        }
        return committer.work();
    }

    @Override
    public RecordReader reader() {
        return index.reader();
    }

    @Override
    public RecordReader throughReader() {
        return new ReadThroughReader(index.reader(), this::readmitted);
    }

    /** Returns the image of a record that the index has not, which it is to have again; null if there is none. */
    private byte @Nullable [] readmitted(byte[] key) throws IOException {
        byte[] image = engine.get(key);
        String wrong = image == null ? null : StoredForm.wrong(key, image);
        if (wrong != null) {
            throw new IOException(wrong);
        }
        if (image != null) {
            committer.maintenance().admit(key);
        }
        return image;
    }

    @Override
    public boolean submit(byte[] key, Change change, Completion completion) {
        return offer(new ChangeQueue.Entry(key, change, completion));
    }

    @Override
    public boolean replace(byte[] key, byte @Nullable [] current, Replace change, Completion completion) {
        return offer(new ChangeQueue.Entry(
                key, change, completion, WriteSet.of(key, current, change, derivation, clock.millis())));
    }

    private boolean offer(ChangeQueue.Entry entry) {
        byte[] key = entry.key();
        StoredForm.checkKey(key);
        if (closing || released) {
            return false;
        }
        if (!queue.offer(entry)) {
            queueFull.increment();
            return false;
        }
        if (thread != null) {
            thread.wake();
        }
        if (closed) {
            failWaiting();
        }
        return true;
    }

    @Override
    public Optional<Record> get(Name name) throws IOException {
        byte[] key = name.key();
        RecordReader reader = readers.pollFirst();
        if (reader == null) {
            reader = throughReader();
        }
        reader.enter();
        try {
            RecordReader.Found found = reader.find(key[0], MemorySegment.ofArray(key), 1, key.length - 1);
            if (found != RecordReader.Found.YES) {
                return Optional.empty();
            }
            int length = RecordImage.length(reader.segment(), reader.offset());
            return RecordChanges.live(Memory.read(reader.offset(), length), clock.millis());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            reader.exit();
            readers.addFirst(reader);
        }
    }

    @Override
    public Optional<Long> put(Record record, long expectedVersion) throws IOException {
        Result result = await(record.name().key(), RecordChanges.put(record, expectedVersion));
        return result.outcome == Outcome.DONE ? Optional.of(result.version) : Optional.empty();
    }

    @Override
    public boolean delete(Name name) throws IOException {
        return await(name.key(), RecordChanges.delete()).outcome == Outcome.DONE;
    }

    private record Result(Outcome outcome, long version) {}

    private Result await(byte[] key, Change change) throws IOException {
        CompletableFuture<Result> done = new CompletableFuture<>();
        long deadline = System.nanoTime() + StoreLimits.QUEUE_WAIT_MILLIS * 1_000_000;
        while (!submit(key, change, (outcome, version) -> done.complete(new Result(outcome, version)))) {
            if (closing) {
                throw new IOException("the store is closed");
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("the store takes no writes: its queue is full for "
                        + StoreLimits.QUEUE_WAIT_MILLIS / 1000 + " s now");
            }
            if (thread == null) {
                committer.work();
            } else {
                LockSupport.parkNanos(this, 100_000);
            }
        }
        while (thread == null && !done.isDone()) {
            committer.work();
        }
        try {
            Result result = done.get();
            if (result.outcome == Outcome.FAILED) {
                String trouble = committer.trouble();
                throw trouble.isEmpty() ? new IOException("the store refused the write") : new WritesRefusedException(trouble);
            }
            return result;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a write; it may yet be made", e);
        } catch (ExecutionException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void scan(byte[] prefix, byte @Nullable [] after, Predicate<Record> visitor) throws IOException {
        byte[] start = prefix.length == 0 ? new byte[] {1} : prefix;
        boolean goesOn = after != null && Arrays.compareUnsigned(after, start) >= 0;
        // The successor of a key is that key and a zero byte.
        byte[] from = after != null && goesOn ? Arrays.copyOf(after, after.length + 1) : start;
        long now = clock.millis();
        IOException[] damage = {null};
        engine.visit(from, (key, image) -> {
            if (!Arrays.equals(
                    key, 0, Math.min(prefix.length, key.length), prefix, 0, prefix.length)) {
                return false;
            }
            try {
                Optional<Record> record = RecordChanges.live(image, now);
                return record.isEmpty() || visitor.test(record.get());
            } catch (IOException e) {
                damage[0] = e;
                return false;
            }
        });
        if (damage[0] != null) {
            throw damage[0];
        }
    }

    @Override
    public void images(byte @Nullable [] after, BiPredicate<byte[], byte[]> visitor) throws IOException {
        // The successor of a key is that key and a zero byte.
        engine.visit(after == null ? new byte[] {1} : Arrays.copyOf(after, after.length + 1), visitor::test);
    }

    @Override
    public long changes(long after, Predicate<ChangeEvent> visitor) throws IOException, TooOld {
        return engine.changes(after, committer.sequence(), visitor);
    }

    @Override
    public void backup(Path folder) throws IOException {
        StoreBackup.write(engine, folder);
    }

    /**
     * Restores a store's folder from a backup, and verifies every checksum.
     *
     * @param backup a folder that {@link #backup} wrote
     * @param folder the new store's folder; must be empty or not exist
     * @throws StoreDamagedException if the backup is not whole, or the folder is in use
     */
    public static void restore(Path backup, Path folder) throws IOException {
        StoreBackup.restore(backup, folder);
    }

    /** Writes to its files what they lack, so that {@link #release} and the next opening have little to do. */
    public void settle() {
        engine.settle();
    }

    /**
     * Finishes the writes that were taken, and gives the files up to another process. Until {@link #reacquire} or {@link #close} no
     * write is taken, and what is in memory is still found. Not for stores that are stepped.
     *
     * @throws IOException if the writes are not finished in time
     */
    public void release() throws IOException {
        released = true;
        CompletableFuture<Void> done = new CompletableFuture<>();
        // Behind all writes that were taken, on the thread of the committer: nothing is read or written meanwhile.
        ChangeQueue.Entry last = new ChangeQueue.Entry(BARRIER, (Replace) (_, _, _, _) -> Change.KEEP, (_, _) -> {
            if (!done.isDone()) {
                committer.rest(true);
                engine.release();
                done.complete(null);
            }
        });
        try {
            if (!queue.offer(last)) {
                throw new IOException("the store has too many writes waiting");
            }
            Objects.requireNonNull(thread).wake();
            done.get(StoreLimits.QUEUE_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while writes were finished", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the store does not finish its writes", e);
        } finally {
            released = !done.completeExceptionally(new TimeoutException());
        }
    }

    /**
     * Has the files again after {@link #release}, and takes writes.
     *
     * @throws IOException if another process has them still
     */
    public void reacquire() throws IOException {
        engine.reacquire();
        committer.rest(false);
        released = false;
    }

    @Override
    public StoreStatus status() {
        Maintenance chores = committer.maintenance();
        String trouble = committer.trouble();
        boolean complete = index.complete();
        return new StoreStatus(
                complete ? index.records() : Math.max(index.records(), engine.recordsEstimate()),
                index.bytes(),
                index.bytesMax(),
                chores.warming(),
                complete,
                trouble.isEmpty() && !closing,
                trouble.isEmpty() ? chores.damage() : trouble,
                engine.damage(),
                committer.groups(),
                thread == null ? 0 : thread.groupedNanos(),
                committer.writes(),
                committer.writesFailed(),
                queueFull.sum(),
                chores.expired(),
                index.evicted(),
                committer.sequence());
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closing) {
                return;
            }
            closing = true;
        }
        boolean ended = true;
        if (thread != null) {
            ended = thread.close();
        } else {
            committer.finishWaiting();
        }
        if (!ended) {
            LOG.log(System.Logger.Level.ERROR, "the committer does not end: the disk blocks a write; files stay open");
            return;
        }
        closed = true;
        failWaiting();
        engine.close();
    }

    private synchronized void failWaiting() {
        committer.failWaiting();
    }
}
