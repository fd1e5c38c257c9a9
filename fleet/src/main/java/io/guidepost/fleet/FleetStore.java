package io.guidepost.fleet;

import io.guidepost.base.Malformed;
import io.guidepost.base.SharedCounters;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.ReadThroughReader;
import io.guidepost.store.RecordChanges;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.StoreStatus;
import io.guidepost.store.StoredForm;
import io.guidepost.store.WritesRefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A store whose records are in a Cassandra cluster. This process keeps nothing but a cache: any number of such front ends share the
 * records, and killing one loses no acknowledged write.
 *
 * <p>Changes of one key are made one after the other, in the order in which they were submitted, those of different keys at the same
 * time, each on a virtual thread. {@link RecordStore.Change}, derivation, observer and {@link RecordStore.Completion} are called by one
 * of them at a time, as the committer of the embedded store does. A change may be applied again, if another front end was first.
 *
 * <p>Differences to the embedded store: the outcome {@link RecordStore.Outcome#FAILED} may be unknown, as a cluster that did not
 * answer may have made the change; the observer sees the changes of this front end alone; there is no journal, no change feed and no
 * backup; quotas of writers are not counted. Thread-safe.
 */
public final class FleetStore implements RecordStore {
    private static final System.Logger LOG = System.getLogger(FleetStore.class.getName());

    /** A key of no record, which is read to see whether a quorum answers. */
    static final byte[] PROBE = {1, 0};

    /** Nothing joins a read that began before it. */
    private static final long JOIN_NONE = -1;

    private record Entry(byte[] key, Change change, Completion completion) {}

    /** A read that is under way, and when it began: what it brings may be as old as that. */
    private record Loading(long askedNanos, CompletableFuture<PlacedRecord> record) {}

    private final SharedCounters<StatementCount> statements = new SharedCounters<>(StatementCount.class);
    private final Cql cql;
    private final KeyLists lists;
    private final Places places;
    private final Records records;
    private final RenewalQueue renewals;
    private final RecordCache cache;
    private final CacheInvalidations others;
    private final InstantSource clock;
    private final LongSupplier nanoClock;
    private final long staleNanos;
    private final Observer observer;
    private final int queueMax;
    private final ReentrantLock applying = new ReentrantLock();
    private final Map<ByteBuffer, ArrayDeque<Entry>> lanes = new ConcurrentHashMap<>();
    private final Map<ByteBuffer, Loading> loading = new ConcurrentHashMap<>();
    private final Semaphore settling = new Semaphore(FleetLimits.SETTLING_MAX);
    private final Semaphore renewing = new Semaphore(FleetLimits.RENEWING_MAX);
    private final Semaphore probes = new Semaphore(0);
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong sequence = new AtomicLong();
    private final LongAdder writes = new LongAdder();
    private final LongAdder writesFailed = new LongAdder();
    private final LongAdder queueFull = new LongAdder();
    private final Thread prober;
    private volatile String trouble = "";
    private volatile String damage = "";
    private volatile boolean closing;

    private FleetStore(
            Cql bare, FleetSettings settings, StoreOptions options, LongSupplier nanoClock, CacheInvalidations others) {
        if (options.journal() != null) {
            throw new IllegalArgumentException("changes of several front ends have no one order, which a journal needs");
        }
        this.cql = new CountedCql(bare, statements);
        this.nanoClock = nanoClock;
        this.staleNanos = TimeUnit.MILLISECONDS.toNanos(settings.staleMillis());
        this.lists = new KeyLists(cql);
        this.places = new Places(cql, options.clock(), applying);
        this.records = new Records(cql, places, options, applying, this::written);
        this.renewals = new RenewalQueue(this::renew);
        this.cache = new RecordCache(options, settings, nanoClock, renewals::offer);
        this.others = others;
        this.clock = options.clock();
        this.observer = options.observer() == null ? (_, _, _, _) -> {} : options.observer();
        this.queueMax = options.queueMax();
        if (!cql.away().isEmpty()) {
            isAway(cql.away());
        }
        this.prober = Thread.ofVirtual().name("fleet-probe").start(this::probe);
        others.follow(this::forget);
    }

    /**
     * Connects to a cluster. One that does not answer is away, as {@link #status} tells, until it does.
     *
     * @param options of which clock, index, queue, derivation and observer are used
     * @param others tells other front ends of what this one writes; the caller closes it behind the store
     * @throws IOException in one line, if the tables are not those of this version, or the cluster refuses the user
     */
    public static FleetStore open(FleetSettings settings, StoreOptions options, CacheInvalidations others) throws IOException {
        Cql cql = DeferredCql.open(() -> DriverCql.open(settings), FleetLimits.OPEN_MILLIS);
        return of(cql, settings, options, System::nanoTime, others);
    }

    static FleetStore of(
            Cql cql, FleetSettings settings, StoreOptions options, LongSupplier nanoClock, CacheInvalidations others) {
        return new FleetStore(cql, settings, options, nanoClock, others);
    }

    /** Looks each second whether a quorum answers, and at once when a statement has failed. */
    private void probe() {
        while (!closing) {
            try {
                if (!answers()) {
                    // A node that ends takes with it what it coordinates, and its connections: a moment later others answer.
                    LockSupport.parkNanos(FleetLimits.PROBE_MILLIS * 500_000);
                    cql.read(PROBE, false);
                }
                if (!trouble.isEmpty()) {
                    LOG.log(System.Logger.Level.INFO, "the cluster answers again");
                }
                trouble = "";
            } catch (ClusterException e) {
                isAway(e.getMessage());
            }
            try {
                if (probes.tryAcquire(FleetLimits.PROBE_MILLIS, TimeUnit.MILLISECONDS)) {
                    probes.drainPermits();
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private boolean answers() {
        try {
            cql.read(PROBE, false);
            return true;
        } catch (ClusterException e) {
            return false;
        }
    }

    private void isAway(@Nullable String reason) {
        if (trouble.isEmpty() && !closing) {
            LOG.log(System.Logger.Level.ERROR, "the cluster does not answer: {0}", reason);
        }
        trouble = "the cluster does not answer: " + reason;
    }

    private void failed(ClusterException e) {
        if (trouble.isEmpty() && probes.availablePermits() == 0) {
            probes.release();
        }
        LOG.log(System.Logger.Level.DEBUG, "a statement failed: {0}", e.getMessage());
    }

    @Override
    public RecordReader reader() {
        return cache.reader();
    }

    @Override
    public RecordReader throughReader() {
        return new ReadThroughReader(cache.reader(), this::image);
    }

    @Override
    public boolean submit(byte[] key, Change change, Completion completion) {
        StoredForm.checkKey(key);
        if (closing || waiting.incrementAndGet() > queueMax) {
            if (!closing) {
                waiting.decrementAndGet();
                queueFull.increment();
            }
            return false;
        }
        Entry entry = new Entry(key, change, completion);
        ByteBuffer lane = ByteBuffer.wrap(key);
        lanes.compute(lane, (_, line) -> {
            if (line != null) {
                line.add(entry);
                return line;
            }
            ArrayDeque<Entry> made = new ArrayDeque<>();
            made.add(entry);
            Thread.ofVirtual().name("fleet-change").start(() -> drain(lane));
            return made;
        });
        return true;
    }

    /** Makes the changes of one key, until there are none. */
    private void drain(ByteBuffer lane) {
        Entry[] next = new Entry[1];
        while (true) {
            next[0] = null;
            lanes.computeIfPresent(lane, (_, line) -> {
                next[0] = line.poll();
                return next[0] == null ? null : line;
            });
            if (next[0] == null) {
                return;
            }
            make(next[0]);
        }
    }

    private void make(Entry entry) {
        Records.Result result = new Records.Result(Outcome.FAILED, 0, null, null);
        if (trouble.isEmpty()) {
            // Behind the compare-and-set others may have changed the record before this is told how it ended.
            long asked = nanoClock.getAsLong();
            try {
                boolean merges = Places.merges(entry.key, entry.change);
                result = merges ? places.change(entry.key, entry.change) : records.change(entry.key, entry.change);
                if (result.outcome() == Outcome.DONE && merges) {
                    // Others may have merged at the same time: what is there now, no front end knows before it reads.
                    written(entry.key, CacheInvalidations.UNKNOWN);
                } else if (result.outcome() == Outcome.DONE) {
                    made(entry.key, result, asked);
                }
            } catch (ClusterException e) {
                failed(e);
                // It may have been made.
                written(entry.key, CacheInvalidations.UNKNOWN);
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.WARNING, "a change threw an exception: {0}", e.toString());
            }
        }
        applying.lock();
        try {
            waiting.decrementAndGet();
            if (result.outcome() == Outcome.DONE) {
                writes.increment();
                observer.changed(sequence.incrementAndGet(), entry.key, result.before(), result.after());
            } else if (result.outcome() == Outcome.FAILED) {
                writesFailed.increment();
            }
            Runnable afterwards = entry.completion.afterwards();
            entry.completion.complete(result.outcome(), result.version());
            if (afterwards != null) {
                afterwards.run();
            }
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "the completion of a write failed", e);
        } finally {
            applying.unlock();
        }
    }

    /** Shows readers of all front ends what was made of a record, and is known to have been so at a time. */
    private void made(byte[] key, Records.Result result, long askedNanos) {
        byte[] after = result.after();
        if (after == null) {
            written(key, result.version());
            return;
        }
        synchronized (cache) {
            loading.remove(ByteBuffer.wrap(key));
            cache.put(key, after, askedNanos);
        }
        others.written(key, result.version());
    }

    /** Has all front ends drop what was written over. */
    private void written(byte[] key, long version) {
        forget(key, version);
        others.written(key, version);
    }

    /** Drops what was written over; a read that is under way may be from before. */
    private void forget(byte[] key, long version) {
        synchronized (cache) {
            loading.remove(ByteBuffer.wrap(key));
            cache.forget(key, version);
        }
    }

    /**
     * Returns the image of a record as a quorum has it; null if there is none. Readers of one key at a time share one statement. From a
     * cluster that does not answer, what was read before it went away, if that is wanted (RFC 8767).
     */
    private byte @Nullable [] image(byte[] key) throws IOException {
        try {
            if (!trouble.isEmpty()) {
                throw new ClusterException(trouble, false);
            }
            return read(key, staleNanos).image();
        } catch (ClusterException e) {
            byte[] stale = cache.stale(key);
            if (stale == null) {
                throw e;
            }
            return stale;
        }
    }

    /**
     * Reads a record.
     *
     * @param joinNanos how much earlier a read of the same key may have begun whose answer is taken; at most the age that is allowed
     */
    private PlacedRecord read(byte[] key, long joinNanos) throws IOException {
        ByteBuffer wrapped = ByteBuffer.wrap(key);
        Loading mine = new Loading(nanoClock.getAsLong(), new CompletableFuture<>());
        Loading first = loading.compute(
                wrapped, (_, other) -> other == null || mine.askedNanos - other.askedNanos > joinNanos ? mine : other);
        if (!first.equals(mine)) {
            return await(first.record);
        }
        try {
            PlacedRecord record = places.read(key, false);
            String wrong = record.wrong();
            if (wrong != null) {
                damage = wrong;
                throw new IOException(wrong);
            }
            synchronized (cache) {
                if (loading.remove(wrapped, mine)) {
                    cache.put(key, record.image(), mine.askedNanos);
                }
            }
            mine.record.complete(record);
            RecordRow row = record.row();
            if (row != null && !row.settled() && clock.millis() - (row.version() >>> 16) > FleetLimits.SETTLE_AFTER_MILLIS) {
                settle(key, row);
            }
            return record;
        } catch (IOException e) {
            if (e instanceof ClusterException failed) {
                failed(failed);
            }
            mine.record.completeExceptionally(e);
            throw e;
        } finally {
            loading.remove(wrapped, mine);
        }
    }

    private static PlacedRecord await(CompletableFuture<PlacedRecord> other) throws IOException {
        try {
            return other.get(FleetLimits.STATEMENT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the cluster was asked", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException known ? known : new IOException(e);
        } catch (TimeoutException e) {
            throw new ClusterException("the cluster has not answered for " + FleetLimits.STATEMENT_MILLIS + " ms", true);
        }
    }

    /** Asks for an image that is asked for and will soon be too old, when few others are under way. */
    private void renew(byte[] key) {
        if (!trouble.isEmpty()) {
            return;
        }
        try {
            renewing.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        Thread.ofVirtual().name("fleet-renew").start(() -> {
            try {
                read(key, staleNanos);
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "an answer was not renewed: {0}", e.getMessage());
            } finally {
                renewing.release();
            }
        });
    }

    /** Finishes the change of a front end that has died, beside what asked for the record. */
    private void settle(byte[] key, RecordRow row) {
        if (!settling.tryAcquire()) {
            return;
        }
        Thread.ofVirtual().name("fleet-settle").start(() -> {
            try {
                records.settle(key, row);
            } catch (ClusterException e) {
                failed(e);
            } finally {
                settling.release();
            }
        });
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Optional<Record> get(Name name) throws IOException {
        if (!trouble.isEmpty()) {
            throw new ClusterException(trouble, false);
        }
        byte[] key = name.key();
        byte[] image = read(key, JOIN_NONE).image();
        return image == null ? Optional.empty() : RecordChanges.live(image, clock.millis());
    }

    @Override
    public Optional<Long> put(Record record, long expectedVersion) throws IOException {
        Made made = await(record.name().key(), RecordChanges.put(record, expectedVersion));
        return made.outcome == Outcome.DONE ? Optional.of(made.version) : Optional.empty();
    }

    @Override
    public boolean delete(Name name) throws IOException {
        return await(name.key(), RecordChanges.delete()).outcome == Outcome.DONE;
    }

    private record Made(Outcome outcome, long version) {}

    private Made await(byte[] key, Change change) throws IOException {
        CompletableFuture<Made> done = new CompletableFuture<>();
        if (!submit(key, change, (outcome, version) -> done.complete(new Made(outcome, version)))) {
            throw new IOException(closing ? "the store is closed" : "the store takes no writes: its queue is full");
        }
        try {
            Made made = done.get();
            if (made.outcome == Outcome.FAILED) {
                throw trouble.isEmpty()
                        ? new IOException("the cluster refused the write, or did not say whether it was made")
                        : new WritesRefusedException(trouble);
            }
            return made;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a write; it may yet be made", e);
        } catch (ExecutionException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void scan(byte[] prefix, byte @Nullable [] after, Predicate<Record> visitor) throws IOException {
        boolean texts = prefix.length > 0 && prefix[0] == Name.Namespace.NAME_TEXT.code();
        long now = clock.millis();
        IOException[] damaged = {null};
        BiPredicate<byte[], byte[]> live = (key, image) -> {
            try {
                Optional<Record> record = RecordChanges.live(image, now);
                return record.isEmpty() || visitor.test(texts ? entry(key) : record.get());
            } catch (IOException e) {
                damaged[0] = e;
                return false;
            }
        };
        if (texts) {
            new NameTexts(lists).visit(prefix, after, named -> read(List.copyOf(named.keySet()), named::get, live));
        } else {
            lists.visit(prefix, after, keys -> read(keys, key -> key, live));
        }
        if (damaged[0] != null) {
            throw damaged[0];
        }
    }

    /** Returns the entry of a text, which is not stored. */
    private static Record entry(byte[] key) throws IOException {
        try {
            return new Record(Name.ofKey(key), Record.ABSENT, List.of(), List.of());
        } catch (Malformed e) {
            throw new IOException("what is listed is no name: " + e.getMessage(), e);
        }
    }

    @Override
    public void images(byte @Nullable [] after, BiPredicate<byte[], byte[]> visitor) throws IOException {
        lists.visit(new byte[0], after, keys -> read(keys, key -> key, visitor));
    }

    /**
     * Reads records, some at a time, and shows them in order; returns false if the visitor wants no more.
     *
     * @param record returns the key of a record by the key that it is shown with
     */
    private boolean read(List<byte[]> keys, UnaryOperator<byte[]> record, BiPredicate<byte[], byte[]> visitor) throws ClusterException {
        for (int from = 0; from < keys.size(); from += FleetLimits.SCAN_READS_MAX) {
            List<byte[]> some = keys.subList(from, Math.min(keys.size(), from + FleetLimits.SCAN_READS_MAX));
            List<Callable<Optional<byte[]>>> reads = new ArrayList<>();
            for (byte[] each : some) {
                reads.add(() -> Optional.ofNullable(visited(places.read(record.apply(each), false))));
            }
            List<Optional<byte[]>> images = KeyLists.together(reads);
            for (int i = 0; i < some.size(); i++) {
                if (images.get(i).isPresent() && !visitor.test(some.get(i), images.get(i).get())) {
                    return false;
                }
            }
        }
        return true;
    }

    /** A record that must not be shown is no image, which each visitor tells: it is not left out as if it were not there. */
    private static byte @Nullable [] visited(PlacedRecord record) {
        return record.wrong() == null ? record.image() : new byte[0];
    }

    /** There is no feed: what other front ends change is not known here. */
    @Override
    public long changes(long after, Predicate<ChangeEvent> visitor) throws TooOld {
        throw new TooOld(after, sequence.get() + 1);
    }

    /** Refuses: the cluster has backups of its own. */
    @Override
    public void backup(Path folder) throws IOException {
        throw new IOException("the records are in a cluster, which has backups of its own: nodetool snapshot, on each node");
    }

    /** Returns the counters of what the cluster was asked. */
    public SharedCounters<StatementCount> statements() {
        return statements;
    }

    @Override
    public StoreStatus status() {
        return new StoreStatus(
                cache.records(),
                cache.bytes(),
                cache.bytesMax(),
                false,
                false,
                trouble.isEmpty() && !closing,
                trouble,
                damage,
                writes.sum(),
                0,
                writes.sum(),
                writesFailed.sum(),
                queueFull.sum(),
                0,
                cache.evicted(),
                sequence.get());
    }

    /** Ends it, when the changes that were taken are made or have failed. */
    @Override
    public void close() {
        synchronized (this) {
            if (closing) {
                return;
            }
            closing = true;
        }
        long end = System.nanoTime() + FleetLimits.CHANGE_MILLIS * 1_000_000;
        while (!lanes.isEmpty() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, 1_000_000);
        }
        prober.interrupt();
        renewals.close();
        cql.close();
    }
}
