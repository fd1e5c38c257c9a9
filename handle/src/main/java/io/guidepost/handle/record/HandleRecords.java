package io.guidepost.handle.record;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import io.guidepost.store.WritesRefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The handle records in the store. Reads and changes may wait for the disk, except {@link #versionAtOnce}: they are for
 * virtual threads, not for the packet path, which uses a {@link RecordReader}. Thread-safe.
 */
public final class HandleRecords {
    /** Timeout of a write, after which its outcome is unknown. */
    public static final long WRITE_SECONDS_MAX = 30;

    /** What is said of a write whose outcome is unknown. */
    public static final String SILENT_DISK =
            "the disk has not answered for " + WRITE_SECONDS_MAX + " s; the change may yet be made";

    private final RecordStore store;
    private final boolean caseSensitive;
    private final ConcurrentLinkedDeque<RecordReader> readers = new ConcurrentLinkedDeque<>();
    private final ConcurrentLinkedDeque<RecordReader> quick = new ConcurrentLinkedDeque<>();

    /** The only reader of a thread that must not wait; null if threads may. */
    private final @Nullable RecordReader unwaiting;

    private final Predicate<Handle> unsettled;

    /**
     * Creates it over a store.
     *
     * @param caseSensitive whether suffixes are case-sensitive; fixed for the life of the store
     */
    public HandleRecords(RecordStore store, boolean caseSensitive) {
        this(store, caseSensitive, null, _ -> false);
    }

    private HandleRecords(
            RecordStore store, boolean caseSensitive, @Nullable RecordReader unwaiting, Predicate<Handle> unsettled) {
        this.store = store;
        this.caseSensitive = caseSensitive;
        this.unwaiting = unwaiting;
        this.unsettled = unsettled;
    }

    /**
     * Returns the same records for one thread that must not wait: {@link #find} throws {@link WouldWaitException} where the disk would
     * have to be read, and changes are {@linkplain #submit submitted}.
     *
     * @param unsettled tells handles that are being changed by what must be seen now; the same is thrown for them
     */
    public HandleRecords atOnce(Predicate<Handle> unsettled) {
        return new HandleRecords(store, caseSensitive, store.reader(), unsettled);
    }

    /** Returns the store below, for the door's own state and the change feed. */
    public RecordStore store() {
        return store;
    }

    /** Returns whether suffixes are case-sensitive. */
    public boolean caseSensitive() {
        return caseSensitive;
    }

    /** Returns the key of a handle; empty if the handle is empty or too long to have a record. */
    public Optional<Name> key(Handle handle) {
        try {
            return Optional.of(handle.name(caseSensitive));
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the record of a handle; empty if there is none.
     *
     * @throws IOException if the disk cannot be read, or the data is damaged
     */
    public Optional<HandleRecord> find(Handle handle) throws IOException {
        Optional<byte[]> image = image(handle);
        return image.isEmpty() ? Optional.empty() : Optional.of(read(image.get()));
    }

    /** Returns the record of a handle where the records are, past what a server of several keeps of them; as {@link #find}. */
    public Optional<HandleRecord> findAuthoritative(Handle handle) throws IOException {
        if (!store.isShared()) {
            return find(handle);
        }
        Optional<Name> name = key(handle);
        Optional<Record> there = name.isEmpty() ? Optional.empty() : store.get(name.get());
        return there.isEmpty() ? Optional.empty() : Optional.of(read(RecordImage.write(there.get())));
    }

    /** Returns the stored form of a record, which a change replaces; as {@link #find}. */
    public Optional<byte[]> image(Handle handle) throws IOException {
        if (unsettled.test(handle)) {
            throw WouldWaitException.SIGNAL;
        }
        Optional<Name> name = key(handle);
        return name.isEmpty()
                ? Optional.empty()
                : look(name.get(), (segment, offset) -> segment.asSlice(offset, RecordImage.length(segment, offset))
                        .toArray(ValueLayout.JAVA_BYTE));
    }

    /**
     * Returns the version of a key's record, which each change replaces; empty if there is none. Cheaper than the
     * record.
     *
     * @throws IOException if the disk cannot be read
     */
    public OptionalLong version(Name key) throws IOException {
        return look(key, RecordImage::version).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    /** Extracts a result from an image in place. */
    @FunctionalInterface
    private interface Look<T> {
        T take(MemorySegment segment, long offset);
    }

    private <T> Optional<T> look(Name name, Look<T> look) throws IOException {
        if (unwaiting != null) {
            return look(name, look, unwaiting, true);
        }
        RecordReader reader = readers.pollFirst();
        if (reader == null) {
            reader = store.throughReader();
        }
        try {
            return look(name, look, reader, false);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            readers.addFirst(reader);
        }
    }

    private static <T> Optional<T> look(Name name, Look<T> look, RecordReader reader, boolean definite) {
        byte[] key = name.key();
        reader.enter();
        try {
            RecordReader.Found found = reader.find(key[0], MemorySegment.ofArray(key), 1, key.length - 1);
            if (definite && found == RecordReader.Found.UNKNOWN) {
                throw WouldWaitException.SIGNAL;
            }
            return found == RecordReader.Found.YES
                    ? Optional.of(look.take(reader.segment(), reader.offset()))
                    : Optional.empty();
        } finally {
            reader.exit();
        }
    }

    /** Returns {@link #version} without waiting; empty also if the index does not know. */
    public OptionalLong versionAtOnce(Name key) {
        RecordReader reader = quick.pollFirst();
        if (reader == null) {
            reader = store.reader();
        }
        try {
            return look(key, RecordImage::version, reader, false).map(OptionalLong::of).orElse(OptionalLong.empty());
        } finally {
            quick.addFirst(reader);
        }
    }

    /**
     * Decodes an image of the store.
     *
     * @throws IOException if it is damaged
     */
    public static HandleRecord read(byte[] image) throws IOException {
        try {
            return StoredHandleRecord.read(image);
        } catch (Malformed e) {
            throw new IOException("a stored handle is damaged: " + e.getMessage(), e);
        }
    }

    /**
     * Changes a record, and waits until the change is durable.
     *
     * @return the edit's result; a written record was durable and visible before this returns
     * @throws WritesRefusedException if the disk takes no writes; nothing was changed
     * @throws IOException if the store refuses, or the outcome is unknown
     */
    public RecordEdit.Next change(Handle handle, RecordEdit edit) throws IOException {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        Optional<PendingEdit> pending = submit(handle, image(handle), edit, (_, _) -> done.complete(true));
        if (pending.isEmpty()) {
            return new RecordEdit.Next.Refused(ResponseCode.BUSY, "the queue of the store is full");
        }
        await(done);
        return pending.get().result();
    }

    /**
     * Waits until a submitted change is complete.
     *
     * @throws IOException if the disk is silent for too long: the outcome is unknown
     */
    public static void await(CompletableFuture<Boolean> done) throws IOException {
        try {
            done.get(WRITE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a write; it may yet be made", e);
        } catch (TimeoutException e) {
            throw new IOException(SILENT_DISK, e);
        } catch (ExecutionException e) {
            throw new IOException(e);
        }
    }

    /**
     * Submits a change of a record without waiting for it. This thread makes it, and the committer again if the record is another
     * by then.
     *
     * @param image of the record as it was read; empty if there is none
     * @param then is told when its result is there; by the committer, as {@link RecordStore.Completion}
     * @return empty if the queue of the store is full
     */
    public Optional<PendingEdit> submit(Handle handle, Optional<byte[]> image, RecordEdit edit, RecordStore.Completion then) {
        Name name = key(handle).orElseThrow(() -> new IllegalArgumentException(handle + " is no name of a record"));
        PendingEdit pending = new PendingEdit(store, handle, edit, then);
        return store.replace(name.key(), image.orElse(null), pending, pending) ? Optional.of(pending) : Optional.empty();
    }

    /**
     * Visits the records of handles whose folded name starts with given bytes, in the order of their keys.
     *
     * @param start the first bytes of the folded handles, such as {@code 10.5/}
     * @param after the handle to resume after, or null to begin at the first
     * @param visitor false ends the visit
     */
    public void scan(byte[] start, @Nullable Handle after, Predicate<HandleRecord> visitor) throws IOException {
        byte[] from = new byte[1 + start.length];
        from[0] = Name.Namespace.HANDLE.code();
        System.arraycopy(start, 0, from, 1, start.length);
        byte[] behind = after == null
                ? before(from)
                : key(after).orElseThrow(() -> new IllegalArgumentException(after + " is no name of a record")).key();
        ImageScan.visit(store, behind, from, (_, image) -> visitor.test(read(image)));
    }

    /** Returns a key just below all that start with some bytes: no key of a handle lies between. */
    private static byte[] before(byte[] start) {
        byte[] below = start.clone();
        int last = below.length - 1;
        if (below[last] == 0) {
            return Arrays.copyOf(below, last);
        }
        below[last]--;
        byte[] padded = Arrays.copyOf(below, CommonLimits.NAME_BYTES_MAX + 1);
        Arrays.fill(padded, below.length, padded.length, (byte) 0xff);
        return padded;
    }
}
