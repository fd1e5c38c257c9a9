package io.guidepost.handle.replication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.record.ImageScan;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The transaction log of this server, for its mirrors. It is in the store: each transaction becomes durable in the same
 * group as its change, so that a crash neither loses nor invents one.
 *
 * <p>It is created before the store, which takes it as its {@link RecordStore.Journal}, and opened right after the
 * store, before the first change. Thread-safe once opened.
 *
 * <p>Numbers grow by one, in the order of the store's changes. Readers of the log see durable transactions only, and
 * numbers become durable in order: so readers see a prefix of the sequence, without holes.
 */
public final class TransactionLog implements RecordStore.Journal {
    /** Timeout of {@link #settled}. */
    private static final long SETTLE_SECONDS_MAX = 30;

    /**
     * The retention of the log. Transactions beyond either bound are deleted, but never the newest.
     *
     * @param transactionsMax number of transactions; at least 1
     * @param age of a transaction
     */
    public record Retention(long transactionsMax, Duration age) {
        /** Ten million, which are about one GiB, and a year. */
        public static final Retention USUAL = new Retention(10_000_000, Duration.ofDays(365));
    }

    private final @Nullable LastWriterWins dates;
    private @Nullable RecordStore store;

    /** The next number; for the committer, after {@link #open}. */
    private long next = 1;

    /** The time of the change of this key that the committer is making, if another server made it first. */
    private byte @Nullable [] foreignKey;

    private long foreignDate;

    private TransactionLog(@Nullable LastWriterWins dates) {
        this.dates = dates;
    }

    /** Returns the log of the only primary, or of a mirror. */
    public static TransactionLog ofOnePrimary() {
        return new TransactionLog(null);
    }

    /** Returns the log of one of several primaries: it also keeps the time of the last change of each handle. */
    public static TransactionLog ofSeveralPrimaries() {
        return new TransactionLog(new LastWriterWins());
    }

    /**
     * Opens the log in a store.
     *
     * @throws IOException if it cannot be read
     */
    public void open(RecordStore opened) throws IOException {
        store = opened;
        if (dates != null) {
            dates.open(opened);
        }
        long last = last();
        if (last > 0) {
            next = last + 1;
        } else {
            // The store has records that are older than the log: number 1 is skipped, so that a new mirror needs a
            // dump.
            boolean[] older = new boolean[1];
            opened.images(new byte[] {Name.Namespace.HANDLE.code()}, (key, _) -> {
                older[0] = key[0] == Name.Namespace.HANDLE.code();
                return false;
            });
            next = older[0] ? 2 : 1;
        }
    }

    private RecordStore store() {
        if (store == null) {
            throw new IllegalStateException("the log is opened after the store, and before it is used");
        }
        return store;
    }

    @Override
    public void enter(
            byte[] key,
            byte @Nullable [] before,
            byte @Nullable [] after,
            long nowMillis,
            BiConsumer<byte[], RecordStore.Replace> also) {
        Transaction.Action action;
        int start;
        if (key[0] == Name.Namespace.HANDLE.code()) {
            start = 1;
            action = before == null
                    ? Transaction.Action.CREATE
                    : after == null ? Transaction.Action.DELETE : Transaction.Action.UPDATE;
        } else if (ReplicationKeys.isHome(key) && (before == null) != (after == null)) {
            start = 2;
            action = before == null ? Transaction.Action.HOME : Transaction.Action.UNHOME;
        } else {
            return;
        }
        Handle handle = Handle.of(new String(key, start, key.length - start, StandardCharsets.UTF_8));
        long id = next++;
        long foreign = foreignKey != null && Arrays.equals(foreignKey, key) ? foreignDate : 0;
        foreignKey = null;
        LastWriterWins kept = action.isOfPrefix() ? null : dates;
        long date = kept != null ? kept.enter(handle, foreign, nowMillis, also) : foreign == 0 ? nowMillis : foreign;
        byte[] row = ReplicationKeys.transaction(id);
        also.accept(row, RecordStore.KnownReplace.adding(row, new Transaction(id, handle, action, date).write()));
    }

    /**
     * Returns a change that another server made first: it is logged with its time there, and skipped if a newer one of
     * the same handle is known.
     *
     * @param handle whose record it changes
     * @param dateMillis its time there
     * @param change makes the same bytes for the same record on every server
     */
    @SuppressWarnings("ReferenceEquality") // KEEP and DELETE are marks, told by identity.
    RecordStore.Replace foreign(Handle handle, long dateMillis, RecordStore.Replace change) {
        return (key, current, version, now) -> {
            foreignKey = null;
            byte[] made = change.apply(key, current, version, now);
            if (dates != null && !dates.takes(handle, dateMillis, current, made)) {
                return RecordStore.Change.KEEP;
            }
            boolean changes = made != RecordStore.Change.KEEP && (made != RecordStore.Change.DELETE || current != null);
            if (changes) {
                foreignKey = key;
                foreignDate = dateMillis;
            }
            return made;
        };
    }

    /**
     * Returns the last transaction that readers of the log and of records can see now, and the time up to which no
     * change is missing. Waits for the disk.
     *
     * @throws IOException if the disk does not answer
     */
    public TransactionPosition settled() throws IOException {
        CompletableFuture<TransactionPosition> settled = new CompletableFuture<>();
        TransactionPosition[] seen = {TransactionPosition.NONE};
        RecordStore.Replace look = (_, _, _, now) -> {
            // Later changes in the same millisecond count as later.
            seen[0] = new TransactionPosition(next - 1, now - 1);
            return RecordStore.Change.KEEP;
        };
        // Completes when its group is durable, and so are all before it.
        if (!store().submit(ReplicationKeys.transaction(0), look, (_, _) -> settled.complete(seen[0]))) {
            throw new IOException("the queue of the store is full");
        }
        try {
            return settled.get(SETTLE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the disk", e);
        } catch (TimeoutException | ExecutionException e) {
            throw new IOException("the disk has not answered for " + SETTLE_SECONDS_MAX + " s", e);
        }
    }

    /**
     * Returns whether the log has all changes after a position.
     *
     * @param byDate whether the time of the position counts too: a mirror of one partition does not see each number
     */
    boolean reaches(TransactionPosition from, TransactionPosition settled, boolean byDate) throws IOException {
        if (from.transactionId() > settled.transactionId()) {
            return false;
        }
        List<Transaction> oldest = new ArrayList<>();
        visit(0, each -> {
            oldest.add(each);
            return false;
        });
        if (oldest.isEmpty()) {
            return from.transactionId() == settled.transactionId();
        }
        Transaction first = oldest.getFirst();
        return from.transactionId() >= first.id() - 1 || byDate && from.dateMillis() > first.dateMillis();
    }

    /**
     * Visits the transactions after a number, in order, up to the current end.
     *
     * @param visitor false ends the visit
     * @throws IOException if the disk cannot be read, or the data is damaged
     */
    public void visit(long after, Predicate<Transaction> visitor) throws IOException {
        ImageScan.visit(
                store(), ReplicationKeys.transaction(after), ReplicationKeys.TRANSACTIONS, (_, image) -> visitor.test(read(image)));
    }

    private static Transaction read(byte[] image) throws IOException {
        try {
            return Transaction.readPrefix(new ReplicationStreamReader(new ByteArrayInputStream(form(image))));
        } catch (Malformed e) {
            throw new IOException("a stored transaction is damaged: " + e.getMessage(), e);
        }
    }

    /** Returns the part of an image that its door wrote. */
    static byte[] form(byte[] image) {
        MemorySegment in = MemorySegment.ofArray(image);
        return in.asSlice(RecordImage.form(in, 0), RecordImage.formLength(in, 0)).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Returns the greatest number in the log, or 0: by bisection, as the log cannot be read from its end. */
    private long last() throws IOException {
        long low = 0;
        long high = Long.MAX_VALUE;
        while (low < high) {
            long middle = low + (high - low) / 2;
            long found = firstAfter(middle);
            if (found == 0) {
                high = middle;
            } else {
                low = found;
            }
        }
        return low;
    }

    private long firstAfter(long id) throws IOException {
        long[] found = new long[1];
        store().images(ReplicationKeys.transaction(id), (key, _) -> {
            found[0] = ReplicationKeys.isTransaction(key) ? ReplicationKeys.id(key) : 0;
            return false;
        });
        return found[0];
    }

    /**
     * Deletes transactions beyond the retention; to be called every hour or so.
     *
     * @param nowMillis the time, milliseconds since 1970
     * @return number of transactions deleted
     * @throws IOException if the disk cannot be read
     */
    public long trim(Retention retention, long nowMillis) throws IOException {
        long last = settled().transactionId();
        long dateMin = nowMillis - retention.age().toMillis();
        long[] trimmed = new long[1];
        visit(0, each -> {
            boolean old = each.id() <= last - retention.transactionsMax() || each.dateMillis() < dateMin;
            if (!old || each.id() == last) {
                return false;
            }
            boolean taken = store().submit(
                            ReplicationKeys.transaction(each.id()),
                            (_, _, _, _) -> RecordStore.Change.DELETE,
                            (_, _) -> {});
            trimmed[0] += taken ? 1 : 0;
            return taken;
        });
        settled();
        return trimmed[0];
    }
}
