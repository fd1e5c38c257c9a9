package io.guidepost.handle.replication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MirrorPartition;
import io.guidepost.handle.message.ReplicationPosition;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.record.ImageScan;
import io.guidepost.handle.record.PipelinedWrites;
import io.guidepost.handle.record.StoredHandleRecord;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Follows one source: fetches a dump once, then polls for transactions.
 *
 * <p>The store holds the mirror's position, written after the changes that it covers and in the same order: after a
 * crash it is never ahead of the records, and fetching some changes again has no effect. An interrupted dump resumes
 * after the last handle that arrived. At the end of a dump, records that it lacked are deleted: those with a version
 * from before it.
 *
 * <p>{@link #pull} is for one thread, such as that of {@link #follow}; any thread may call the other methods.
 */
public final class HandleMirror implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HandleMirror.class.getName());

    /** Changes between two checkpoints: at most these are fetched again after a crash. */
    private static final int CHANGES_BETWEEN_MARKS = 4096;

    /** Interval of checkpoints of the source's time while nothing changes, milliseconds. */
    private static final long IDLE_MARK_MILLIS = 600_000;


    private final MirrorSettings settings;
    private final ReplicationUpstream origin;
    private final HandleRecords records;
    private final HomedPrefixes homes;
    private final TransactionLog transactions;
    private final InstantSource clock;
    private final MirrorPartition held;
    private final LongAdder applied = new LongAdder();
    private final LongAdder dumped = new LongAdder();
    private final LongAdder dumps = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final Object change = new Object();
    private volatile boolean closed;
    private volatile boolean dumpWanted;
    private volatile @Nullable MirrorCheckpoint progress;
    private volatile long askedMillis;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile String trouble = "";
    private volatile String lastRefused = "";

    /**
     * Creates it over the store of this server.
     *
     * @param origin the source
     * @param transactions the log of this server, which may have mirrors itself
     */
    public HandleMirror(
            MirrorSettings settings,
            ReplicationUpstream origin,
            HandleRecords records,
            HomedPrefixes homes,
            TransactionLog transactions,
            InstantSource clock) {
        this.settings = settings;
        this.origin = origin;
        this.records = records;
        this.homes = homes;
        this.transactions = transactions;
        this.clock = clock;
        this.held = settings.held().checked();
    }

    /** Returns the mirror's status. */
    public MirrorStatus status() {
        MirrorCheckpoint now = progress;
        return new MirrorStatus(
                now != null && now.dumping(),
                now == null ? TransactionPosition.NONE : now.position(),
                askedMillis,
                applied.sum(),
                dumped.sum(),
                dumps.sum(),
                refused.sum(),
                lastRefused,
                failures.get(),
                trouble);
    }

    /** Makes the next poll fetch a dump. */
    public void redump() {
        dumpWanted = true;
        synchronized (change) {
            change.notifyAll();
        }
    }

    /** Polls until it is closed; for a virtual thread of its own. */
    public void follow() {
        while (!closed) {
            long pauseMillis = settings.interval().toMillis();
            try {
                pull();
            } catch (IOException | Malformed e) {
                if (closed) {
                    return;
                }
                long doubled = pauseMillis << Math.min(failures.get(), 20);
                pauseMillis = Math.max(pauseMillis, Math.min(doubled, settings.pauseMax().toMillis()));
                LOG.log(
                        failures.get() == 1 ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
                        "the mirror of {0} failed, and tries again in {1} ms: {2}",
                        settings.name(),
                        pauseMillis,
                        e.getMessage());
            }
            pause(pauseMillis);
        }
    }

    private void pause(long millis) {
        long until = System.nanoTime() + millis * 1_000_000;
        synchronized (change) {
            try {
                while (!closed && !dumpWanted) {
                    long left = (until - System.nanoTime()) / 1_000_000;
                    if (left <= 0) {
                        return;
                    }
                    change.wait(left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                closed = true;
            }
        }
    }

    /** Ends {@link #follow} after the current poll. */
    @Override
    public void close() {
        closed = true;
        synchronized (change) {
            change.notifyAll();
        }
    }

    /**
     * Polls once: on return, everything that the source had is here and durable.
     *
     * @throws IOException if the source or the disk fails; what came before is kept
     * @throws Malformed if the source violates the protocol
     */
    public void pull() throws IOException, Malformed {
        try {
            MirrorCheckpoint now = progress == null ? load() : progress;
            if (dumpWanted) {
                dumpWanted = false;
                now = MirrorCheckpoint.NONE;
            }
            if (now.dumping() || now.equals(MirrorCheckpoint.NONE) || !transact(now.position())) {
                dump(now.dumping() ? now : begin());
                transact(current().position());
            }
            askedMillis = clock.millis();
            failures.set(0);
            trouble = "";
        } catch (IOException | Malformed e) {
            failures.incrementAndGet();
            trouble = String.valueOf(e.getMessage());
            progress = null;
            throw e;
        }
    }

    private MirrorCheckpoint current() {
        MirrorCheckpoint now = progress;
        return now == null ? MirrorCheckpoint.NONE : now;
    }

    private MirrorCheckpoint load() throws IOException {
        try {
            Name name = Name.ofKey(ReplicationKeys.position(settings.name()));
            Optional<io.guidepost.names.Record> found = records.store().get(name);
            MirrorCheckpoint read = found.isEmpty()
                    ? MirrorCheckpoint.NONE
                    : MirrorCheckpoint.read(found.get().values().getFirst().data());
            progress = read;
            return read;
        } catch (Malformed e) {
            throw new IOException(
                    "the checkpoint of the mirror of " + settings.name() + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Writes a checkpoint after all submitted changes; returns the version that it got. */
    private void save(MirrorCheckpoint next, PipelinedWrites applying) throws IOException {
        applying.submit(
                ReplicationKeys.position(settings.name()),
                (key, _, version, _) -> RecordImage.writeForm(key, version, next.write()));
        progress = next;
    }

    /** Fetches transactions; returns false if the source's log does not reach back to the position. */
    private boolean transact(TransactionPosition from) throws IOException, Malformed {
        PipelinedWrites applying = new PipelinedWrites(records.store(), PipelinedWrites.USUAL_MAX);
        MessageBody question = new MessageBody.Transactions(
                new ReplicationPosition.Last(from.transactionId(), from.dateMillis(), true), settings.receiver());
        long[] last = {from.transactionId()};
        long[] since = new long[1];
        TransactionStream.End end;
        try (InputStream in = origin.ask(HandleOperation.GET_TRANSACTIONS, question)) {
            end = TransactionStream.read(in, new TransactionStream.Visitor() {
                @Override
                public void transaction(Transaction transaction, List<HandleValue> values) throws IOException {
                    apply(transaction, values, applying);
                    last[0] = Math.max(last[0], transaction.id());
                    applied.increment();
                    if (++since[0] % CHANGES_BETWEEN_MARKS == 0) {
                        save(MirrorCheckpoint.following(new TransactionPosition(last[0], from.dateMillis())), applying);
                    }
                }

                @Override
                public void skipped(Transaction transaction, String why) {
                    last[0] = Math.max(last[0], transaction.id());
                    refuse(transaction.handle(), why);
                }
            });
        } catch (IOException | Malformed e) {
            keep(applying, e);
            throw e;
        }
        if (end instanceof TransactionStream.End.Complete(long date)) {
            if (last[0] != from.transactionId() || date - from.dateMillis() >= IDLE_MARK_MILLIS) {
                save(MirrorCheckpoint.following(new TransactionPosition(last[0], date)), applying);
            }
            applying.settle();
            return true;
        }
        return false;
    }

    private void apply(Transaction transaction, List<HandleValue> values, PipelinedWrites applying) throws IOException {
        switch (transaction.action()) {
            case CREATE, UPDATE -> write(transaction.handle(), values, transaction.dateMillis(), true, applying);
            case DELETE -> {
                Optional<Name> name = records.key(transaction.handle());
                if (name.isPresent()) {
                    applying.submit(
                            name.get().key(),
                            transactions.foreign(
                                    transaction.handle(),
                                    transaction.dateMillis(),
                                    (_, _, _, _) -> RecordStore.Change.DELETE));
                }
            }
            case HOME -> homes.home(transaction.handle());
            case UNHOME -> homes.unhome(transaction.handle());
        }
    }

    private void write(
            Handle handle, List<HandleValue> values, long dateMillis, boolean onlyIfOther, PipelinedWrites applying)
            throws IOException {
        Optional<Name> name = records.key(handle);
        HandleRecord record;
        try {
            record = new HandleRecord(handle, values);
        } catch (IllegalArgumentException e) {
            refuse(handle, String.valueOf(e.getMessage()));
            return;
        }
        if (name.isEmpty()) {
            refuse(handle, "its name is too long for the store");
            return;
        }
        applying.submit(name.get().key(), transactions.foreign(handle, dateMillis, (key, current, version, _) -> {
            try {
                // With several primaries, the time is recorded even if the change makes no difference.
                boolean same = onlyIfOther
                        && !settings.severalPrimaries()
                        && current != null
                        && StoredHandleRecord.read(current).equals(record);
                return same ? RecordStore.Change.KEEP : StoredHandleRecord.write(key, version, record);
            } catch (IllegalArgumentException | Malformed e) {
                refuse(handle, String.valueOf(e.getMessage()));
                return RecordStore.Change.KEEP;
            }
        }));
    }

    /**
     * Returns the time of the newest value: a dump lacks the time of a record's last change, which is not before that.
     */
    private static long newest(List<HandleValue> values) {
        return values.stream().mapToLong(each -> each.changedSeconds() * 1000).max().orElse(1);
    }

    private void refuse(Handle handle, String why) {
        refused.increment();
        lastRefused = handle + ": " + why;
        LOG.log(System.Logger.Level.WARNING, "the mirror of {0} skips {1}", settings.name(), lastRefused);
    }

    /**
     * Marks the beginning of a dump: records with a later version in this store than the mark are from the dump, or
     * newer.
     */
    private MirrorCheckpoint begin() throws IOException {
        byte[] key = ReplicationKeys.position(settings.name());
        long[] given = new long[1];
        PipelinedWrites applying = new PipelinedWrites(records.store(), PipelinedWrites.USUAL_MAX);
        applying.submit(key, (to, _, version, _) -> {
            given[0] = version;
            return RecordImage.writeForm(to, version, MirrorCheckpoint.NONE.write());
        });
        applying.settle();
        return new MirrorCheckpoint(true, TransactionPosition.NONE, given[0], Handle.NONE);
    }

    private void dump(MirrorCheckpoint from) throws IOException, Malformed {
        dumps.increment();
        boolean goesOn = !from.last().isNone();
        Dumping dumping = new Dumping(from);
        MessageBody question = new MessageBody.Dump(
                settings.receiver(),
                goesOn ? List.of(new ValueReference(from.last(), DumpStream.BEHIND_RECORD)) : List.of());
        try (InputStream in = origin.ask(HandleOperation.DUMP_HANDLES, question)) {
            DumpStream.read(in, dumping);
        } catch (IOException | Malformed e) {
            keep(dumping.applying, e);
            throw e;
        }
        dumping.end();
    }

    /** Makes the changes before a failure durable, so that they are not fetched again. */
    private static void keep(PipelinedWrites applying, Exception failure) {
        try {
            applying.settle();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Writes a dump to the store. */
    private final class Dumping implements DumpStream.Visitor {
        private final PipelinedWrites applying = new PipelinedWrites(records.store(), PipelinedWrites.USUAL_MAX);
        private final Set<Handle> prefixes = new HashSet<>();
        private MirrorCheckpoint now;
        private long count;

        Dumping(MirrorCheckpoint now) {
            this.now = now;
        }

        @Override
        public void position(TransactionPosition position) throws IOException {
            // A resumed dump has none: the records of its first part lack the changes since then.
            if (now.last().isNone()) {
                now = new MirrorCheckpoint(true, position, now.before(), Handle.NONE);
                save(now, applying);
            }
        }

        @Override
        public void record(Handle handle, List<HandleValue> values) throws IOException {
            long date = settings.severalPrimaries() ? newest(values) : now.position().dateMillis();
            write(handle, values, date, false, applying);
            dumped.increment();
            if (++count % CHANGES_BETWEEN_MARKS == 0) {
                Handle last = records.caseSensitive() ? handle : folded(handle);
                now = new MirrorCheckpoint(true, now.position(), now.before(), last);
                save(now, applying);
            }
        }

        @Override
        public void skipped(Handle handle, String why) {
            refuse(handle, why);
        }

        @Override
        public void prefix(Handle prefixHandle) throws IOException {
            prefixes.add(folded(prefixHandle));
            homes.home(prefixHandle);
        }

        void end() throws IOException {
            applying.settle();
            if (now.position().equals(TransactionPosition.NONE)) {
                throw new IOException("the dump has no position");
            }
            if (!settings.severalPrimaries()) {
                sweep(now.before(), applying);
                for (String each : homes.all()) {
                    if (!prefixes.contains(Handle.of(each))) {
                        homes.unhome(Handle.of(each));
                    }
                }
            }
            save(MirrorCheckpoint.following(now.position()), applying);
            applying.settle();
        }
    }

    /** Deletes the source's records that were not in its dump. */
    private void sweep(long before, PipelinedWrites applying) throws IOException {
        byte[] all = {Name.Namespace.HANDLE.code()};
        ImageScan.visit(records.store(), all, all, (key, image) -> {
            if (isOld(image, before) && held.contains(handle(key))) {
                applying.submit(
                        key,
                        (_, current, _, _) -> current != null && isOld(current, before)
                                ? RecordStore.Change.DELETE
                                : RecordStore.Change.KEEP);
            }
            return true;
        });
        applying.settle();
    }

    private static Handle handle(byte[] key) {
        return Handle.of(new String(key, 1, key.length - 1, StandardCharsets.UTF_8));
    }

    private static Handle folded(Handle handle) {
        return Handle.of(new String(handle.folded(), StandardCharsets.UTF_8));
    }

    private static boolean isOld(byte[] image, long before) {
        return RecordImage.version(MemorySegment.ofArray(image), 0) <= before;
    }
}
