package io.guidepost.store.embedded;

import io.guidepost.base.Memory;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreLimits;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.StoredForm;
import io.guidepost.store.VersionClock;
import io.guidepost.store.engine.StorageEngine;
import io.guidepost.store.engine.WriteBatchBuffer;
import io.guidepost.store.index.ReadIndex;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The single writer of a store, with group commit: it drains the queue, applies the changes in order, makes them
 * durable with one sync, publishes them to readers and then completes them. Between groups it runs {@link Maintenance}.
 *
 * <p>A duty cycle: {@link #work} runs one round and returns the work done. Only {@link CommitterThread}, or a
 * simulation that steps it, calls it. If the engine refuses a write, the whole group and all that follow fail until
 * {@link StorageEngine#recover} succeeds, which also undoes any part of the failed group that reached the disk.
 */
final class Committer {
    private static final System.Logger LOG = System.getLogger(Committer.class.getName());

    /** The store's own key under which each group writes the last version given. */
    static final byte[] VERSION_KEY = {0, 'v'};

    private final StorageEngine engine;
    private final ReadIndex index;
    private final ChangeQueue queue;
    private final InstantSource clock;
    private final boolean sync;
    private final VersionClock versions = new VersionClock();
    private final WriteBatchBuffer batch = new WriteBatchBuffer();
    private final CommitGroup group;
    private final Maintenance maintenance;
    private final DiskReserve reserve;
    private final WriterLedger ledger;
    private final ArrayDeque<ChangeQueue.Entry> own = new ArrayDeque<>();
    private final List<Doubtful> doubtful = new ArrayList<>();
    private final ArrayList<ChangeQueue.Entry> taken = new ArrayList<>();
    private final ArrayList<Runnable> afterwards = new ArrayList<>();
    private long[] hashes = new long[64];
    private long[] shards = new long[64];
    private long[] slots = new long[64];
    private long[] images = new long[64];
    private int came;
    private int awaited = 1;
    private long recoverAtMillis;
    private long warnedAtMillis;

    @SuppressWarnings("unused") // Keeps the compiler from removing the prefetching reads.
    private long fetched;

    private final LongAdder writesFailed = new LongAdder();
    private final LongAdder groups = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private volatile long sequence;
    private volatile String failure = "";
    private volatile boolean resting;
    private final RecordStore.@Nullable Observer observer;
    private final @Nullable Consumer<byte[]> changing;
    private final RecordStore.@Nullable Derivation derivation;
    private final RecordStore.@Nullable Journal journal;
    private final ArrayList<ChangeQueue.Entry> derived = new ArrayList<>();

    @SuppressWarnings("UnnecessaryLambda") // Made once: a method in its place would be one object for each write.
    private final BiConsumer<byte[], RecordStore.Replace> also = (key, change) -> derived.add(ChangeQueue.Entry.derived(key, change));

    /** A key of a failed group, and its image before. */
    private record Doubtful(byte[] key, byte @Nullable [] image) {}

    Committer(StorageEngine engine, ReadIndex index, ChangeQueue queue, DiskReserve reserve, StoreOptions options) throws IOException {
        this.engine = engine;
        this.index = index;
        this.queue = queue;
        this.clock = options.clock();
        this.sync = options.durability() == RecordStore.Durability.FSYNC;
        this.group = new CommitGroup(StoreLimits.GROUP_WRITES_MAX + StoreLimits.EXPIRE_GROUP_MAX);
        this.observer = options.observer();
        this.changing = observer == null ? null : observer.changing();
        this.derivation = options.derivation();
        this.journal = options.journal();
        byte[] version = engine.get(VERSION_KEY);
        if (version != null) {
            versions.seen(Memory.longAt(version, 0));
        }
        this.maintenance = new Maintenance(engine, index, new IndexWarmer(engine, index, versions));
        this.reserve = reserve;
        this.ledger = new WriterLedger(engine);
        this.sequence = engine.sequence();
        this.failure = engine.refusal();
        if (!failure.isEmpty()) {
            refused();
        }
    }

    /** Runs one round; returns the work done, 0 if there was none. */
    int work() {
        return write() + tidy();
    }

    /** Commits all pending changes as one group; returns their number. */
    int write() {
        return round(clock.millis());
    }

    /** Runs a step of maintenance; returns the work done. */
    int tidy() {
        return resting ? 0 : maintenance.work(clock.millis(), queue.size() == 0, own);
    }

    /**
     * Returns how many writes were in flight when the last group completed: the group's own and those that arrived
     * meanwhile; at most {@link StoreLimits#GATHER_WRITES_MAX}, 1 before the first group, and 0 if an entry was already
     * taken.
     */
    int awaited() {
        return own.isEmpty() ? awaited : 0;
    }

    /** Begins to leave the engine alone, or ends that; what is pending stays so. The committer's own thread begins it. */
    void rest(boolean now) {
        resting = now;
    }

    boolean isResting() {
        return resting;
    }

    /** Commits all pending changes without maintenance; before closing. */
    void finishWaiting() {
        while (!resting && queue.size() > 0) {
            round(clock.millis());
        }
    }

    private int round(long now) {
        int done = 0;
        if (!failure.isEmpty() && Math.abs(now - recoverAtMillis) >= StoreLimits.RECOVER_PAUSE_MILLIS) {
            recover(now);
            done++;
        }
        try {
            done += commit(now);
        } finally {
            finish();
        }
        return done;
    }

    private int commit(long now) {
        gather(now);
        if (group.size() == 0) {
            return 0;
        }
        if (!batch.isEmpty()) {
            try {
                byte[] version = new byte[Long.BYTES];
                Memory.longAt(version, 0, versions.last());
                batch.put(VERSION_KEY, version);
                engine.write(batch, sync);
                reserve.wrote(batch.length());
            } catch (IOException | RuntimeException e) {
                refuse(e, now);
                return group.size();
            }
            publish();
        }
        return group.size();
    }

    private void gather(long now) {
        batch.clear();
        ledger.begin();
        taken.clear();
        ChangeQueue.Entry entry;
        while ((entry = own.poll()) != null) {
            taken.add(entry);
        }
        int before = taken.size();
        int most = before + StoreLimits.GROUP_WRITES_MAX;
        while (taken.size() < most && (entry = queue.poll()) != null) {
            taken.add(entry);
        }
        came = taken.size() - before;
        fetch();
        boolean mayGrow = taken.isEmpty() && reserve.trouble().isEmpty() || !reserve.isTouched(now);
        for (int i = 0; i < taken.size(); i++) {
            if (batch.length() < StoreLimits.GROUP_BYTES_MAX) {
                apply(taken.get(i), hashes[i], true, mayGrow, now);
                for (ChangeQueue.Entry each : derived) {
                    // What its origin was allowed, it is.
                    apply(each, index.hash(each.key()), false, true, now);
                }
                derived.clear();
            } else {
                // Large records: the rest becomes the next group, before all that arrived later.
                own.add(taken.get(i));
            }
        }
        taken.clear();
    }

    /** Hashes the keys and prefetches their slots and images together: cache misses dominate here. */
    private void fetch() {
        if (hashes.length < taken.size()) {
            hashes = new long[Math.max(2 * hashes.length, taken.size())];
            shards = new long[hashes.length];
            slots = new long[hashes.length];
            images = new long[hashes.length];
        }
        for (int i = 0; i < taken.size(); i++) {
            hashes[i] = index.hash(taken.get(i).key());
            shards[i] = index.shard(hashes[i]);
        }
        fetched = index.fetch(hashes, shards, slots, images, taken.size());
    }

    @SuppressWarnings("ReferenceEquality") // KEEP and DELETE are markers, compared by identity.
    private void apply(ChangeQueue.Entry entry, long hash, boolean derives, boolean mayGrow, long now) {
        byte[] key = entry.key();
        CommitGroup.Slot slot = group.add(key, hash, entry.completion());
        if (!failure.isEmpty()) {
            return;
        }
        try {
            CommitGroup.Slot earlier = group.find(key, hash);
            long version = versions.next(now);
            WriteSet made = entry.writes() != null && entry.writes().version() == version(earlier, key, hash) ? entry.writes() : null;
            byte[] current = made != null ? made.read() : earlier != null ? earlier.image : current(entry.change(), key, hash, version);
            byte[] next = made != null ? made.next(version) : entry.change().apply(key, current, version, now);
            if (next == RecordStore.Change.KEEP || next == RecordStore.Change.DELETE && current == null) {
                slot.outcome = RecordStore.Outcome.KEPT;
                slot.version = current == null ? 0 : Memory.longAt(current, 8);
                return;
            }
            if (!mayGrow && next.length > (current == null ? 0 : current.length)) {
                return;
            }
            RecordStore.Writer writer = entry.change().writer();
            byte[] image = next == RecordStore.Change.DELETE ? null : StoredForm.checked(key, next, version);
            if (!ledger.enter(key, current, next, writer, batch)) {
                slot.outcome = RecordStore.Outcome.KEPT;
                return;
            }
            slot.image = image;
            slot.old = current;
            slot.version = version;
            versions.seen(version);
            slot.position = batch.count();
            if (slot.image == null) {
                batch.delete(key);
            } else {
                batch.put(key, slot.image);
            }
            group.wrote(slot, earlier);
            if (derives) {
                derive(made, key, current, image, now);
            }
        } catch (IOException | RuntimeException | Error e) {
            // It fails alone, as others wait behind it. Rate limited: a client that sends such a change may send many.
            if (Math.abs(now - warnedAtMillis) >= StoreLimits.WARN_PAUSE_MILLIS) {
                warnedAtMillis = now;
                LOG.log(System.Logger.Level.WARNING, "a change threw an exception: {0}", e.toString());
            }
            LOG.log(System.Logger.Level.DEBUG, "stack of the failed change", e);
        }
    }

    private void derive(@Nullable WriteSet made, byte[] key, byte @Nullable [] before, byte @Nullable [] after, long now) {
        if (made != null) {
            derived.addAll(made.derived());
        } else if (derivation != null) {
            derivation.derive(key, before, after, also);
        }
        if (journal != null) {
            journal.enter(key, before, after, now, also);
        }
    }

    /** Returns the version that a record has now. */
    private long version(CommitGroup.@Nullable Slot earlier, byte[] key, long hash) throws IOException {
        if (earlier != null) {
            return WriteSet.version(earlier.image);
        }
        boolean holds = ReadIndex.holds(key[0]);
        long version = holds ? index.version(key, hash) : Record.ABSENT;
        return version == Record.ABSENT && !(holds && index.complete()) ? WriteSet.version(engine.get(key)) : version;
    }

    private byte @Nullable [] current(RecordStore.Change change, byte[] key, long hash, long version) throws IOException {
        if (change instanceof RecordStore.KnownReplace known) {
            return known.before() == null ? null : RecordImage.withVersion(known.before(), version);
        }
        boolean holds = ReadIndex.holds(key[0]);
        byte[] image = holds ? index.get(key, hash) : null;
        return image == null && !(holds && index.complete()) ? engine.get(key) : image;
    }

    private void publish() {
        long written = 0;
        for (int i = 0; i < group.size(); i++) {
            CommitGroup.Slot slot = group.get(i);
            if (slot.version != 0 && slot.outcome == RecordStore.Outcome.FAILED) {
                slot.outcome = RecordStore.Outcome.DONE;
                written++;
                if (slot.last && ReadIndex.holds(slot.key[0])) {
                    show(slot);
                }
            }
        }
        writes.add(written);
        groups.increment();
        sequence = engine.sequence();
        if (observer != null) {
            observe(observer);
        }
    }

    private void show(CommitGroup.Slot slot) {
        if (changing != null) {
            try {
                changing.accept(slot.key);
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, "the store's observer failed before a change", e);
            }
        }
        if (slot.image != null) {
            index.put(slot.key, slot.hash, slot.image);
        } else {
            index.remove(slot.key, slot.hash);
        }
    }

    private void observe(RecordStore.Observer told) {
        long first = sequence - batch.count() + 1;
        for (int i = 0; i < group.size(); i++) {
            CommitGroup.Slot slot = group.get(i);
            if (slot.version != 0 && slot.outcome == RecordStore.Outcome.DONE) {
                try {
                    told.changed(first + slot.position, slot.key, slot.old, slot.image);
                } catch (RuntimeException | Error e) {
                    LOG.log(System.Logger.Level.ERROR, "the store's observer failed on a change", e);
                }
            }
        }
    }

    private void finish() {
        // Counted before completion: a client may send its next write at once.
        awaited = Math.clamp(came + queue.size(), 1, Math.min(StoreLimits.GROUP_WRITES_MAX, StoreLimits.GATHER_WRITES_MAX));
        for (int i = 0; i < group.size(); i++) {
            CommitGroup.Slot slot = group.get(i);
            if (slot.outcome == RecordStore.Outcome.FAILED) {
                writesFailed.increment();
            }
            complete(slot.completion, slot.outcome, slot.outcome == RecordStore.Outcome.FAILED ? 0 : slot.version);
        }
        group.clear();
        runAfterwards();
    }

    @SuppressWarnings("ReferenceEquality") // One worker passes one object.
    private void complete(
            RecordStore.@Nullable Completion completion, RecordStore.Outcome outcome, long version) {
        if (completion == null) {
            return;
        }
        try {
            Runnable wake = completion.afterwards();
            boolean known = wake == null;
            for (int i = 0; i < afterwards.size() && !known; i++) {
                known = afterwards.get(i) == wake;
            }
            if (wake != null && !known) {
                afterwards.add(wake);
            }
            completion.complete(outcome, version);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "the completion of a write failed", e);
        }
    }

    private void runAfterwards() {
        for (int i = 0; i < afterwards.size(); i++) {
            try {
                afterwards.get(i).run();
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, "the task after a commit group failed", e);
            }
        }
        afterwards.clear();
    }

    private void refuse(Exception e, long now) {
        for (int i = 0; i < group.size(); i++) {
            CommitGroup.Slot slot = group.get(i);
            slot.outcome = RecordStore.Outcome.FAILED;
            if (slot.first) {
                doubtful.add(new Doubtful(slot.key, slot.old));
            }
        }
        failure(e);
        recoverAtMillis = now;
        refused();
    }

    private void refused() {
        LOG.log(System.Logger.Level.ERROR, "writes are refused until the disk accepts them again: {0}", failure);
    }

    private void recover(long now) {
        recoverAtMillis = now;
        try {
            batch.clear();
            for (Doubtful each : doubtful) {
                if (each.image == null) {
                    batch.delete(each.key);
                } else {
                    batch.put(each.key, each.image);
                }
            }
            engine.recover(batch, sync);
            ledger.load();
            doubtful.clear();
            sequence = engine.sequence();
            failure = "";
            LOG.log(System.Logger.Level.INFO, "the disk accepts writes again");
        } catch (IOException | RuntimeException e) {
            failure(e);
        }
    }

    private void failure(Exception e) {
        String message = e.getMessage();
        failure = message == null || message.isEmpty() ? e.toString() : message;
    }

    /** Fails all pending changes; called when the committer has ended. */
    void failWaiting() {
        ChangeQueue.Entry entry;
        while ((entry = queue.poll()) != null) {
            writesFailed.increment();
            complete(entry.completion(), RecordStore.Outcome.FAILED, 0);
        }
        runAfterwards();
    }

    Maintenance maintenance() {
        return maintenance;
    }

    long groups() {
        return groups.sum();
    }

    long writes() {
        return writes.sum();
    }

    long writesFailed() {
        return writesFailed.sum();
    }

    long sequence() {
        return sequence;
    }

    /** Returns why changes are refused, all or those that grow; empty if they are taken. */
    String trouble() {
        return failure.isEmpty() ? reserve.trouble() : failure;
    }
}
