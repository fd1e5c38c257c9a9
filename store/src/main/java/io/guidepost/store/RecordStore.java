package io.guidepost.store;

import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Durable records by name: an acknowledged write survives kill -9.
 *
 * <p>One committer applies writes in order, makes a group of them durable with one sync (group commit), publishes them
 * to readers and then completes them. Reads of the packet path go through a {@link RecordReader} and never wait; the other
 * reads here may touch the disk. Thread-safe.
 */
public interface RecordStore extends AutoCloseable {
    /**
     * Creates a reader for one thread. It stays registered until the store closes, so each thread creates one and keeps
     * it.
     */
    RecordReader reader();

    /**
     * Creates a read-through reader: on an index miss its {@link RecordReader#find} may wait for the disk. It never returns
     * {@link RecordReader.Found#UNKNOWN}, and throws {@link java.io.UncheckedIOException} if the disk cannot be read.
     */
    RecordReader throughReader();

    /**
     * Submits a change to the committer and returns at once.
     *
     * @param key the name's key: namespace byte and bytes; the store keeps the array
     * @param change computes the new form
     * @param completion called once by the committer when the change is durable and visible, or has failed
     * @return false if the queue is full (backpressure); the change is then not made and the completion not called
     */
    boolean submit(byte[] key, Change change, Completion completion);

    /** The same for a function of the current form. */
    default boolean submit(byte[] key, Replace change, Completion completion) {
        return submit(key, (Change) change, completion);
    }

    /**
     * Submits a replace of the form that its maker has read: the calling thread makes it now, and derives what follows from it.
     * The committer only compares the version; if that is another by then, it calls the change again (optimistic concurrency
     * control).
     *
     * @param current the stored form as it was read, null for none; not modified any more
     * @return as {@link #submit(byte[], Change, Completion)}
     */
    default boolean replace(byte[] key, byte @Nullable [] current, Replace change, Completion completion) {
        return submit(key, change, completion);
    }

    /**
     * Submits a barrier, which changes nothing: it completes behind all changes that were submitted before, when observers have
     * been told of them.
     *
     * @return as {@link #submit(byte[], Change, Completion)}
     */
    default boolean barrier(Completion completion) {
        byte[] nothing = new byte[1 + Guid.BYTES];
        nothing[0] = Name.Namespace.HANDLE.code();
        return submit(nothing, (_, _, _, _) -> Change.KEEP, completion);
    }

    /**
     * Returns the current record of a name without expired bindings; empty if there is none. A tombstone, kept for a
     * deleted replicated record, counts as none.
     */
    Optional<Record> get(Name name) throws IOException;

    /**
     * Replaces a record by compare-and-set on its version and waits until it is durable. For a replicated record it is
     * an UPDATE at this moment, which anti-entropy carries to the replicas.
     *
     * @param record its version is ignored: the store assigns the next one
     * @param expectedVersion the version to replace, {@link Record#ABSENT} for none
     * @return the new version, or empty if another version was found
     */
    Optional<Long> put(Record record, long expectedVersion) throws IOException;

    /**
     * Removes a record of any version and waits until that is durable; false if there was none. A replicated record
     * leaves a tombstone for ten days, so that no replica restores it. {@link Change#DELETE} removes it without one.
     */
    boolean delete(Name name) throws IOException;

    /**
     * Visits records whose key starts with a prefix, in key order, from behind a key.
     *
     * @param prefix the first bytes of the keys
     * @param after the key to continue behind, or null to begin at the first
     * @param visitor called for each; returns false to stop
     */
    void scan(byte[] prefix, byte @Nullable [] after, Predicate<Record> visitor) throws IOException;

    /**
     * Visits stored forms in key order, tombstones included, as they are durable at the time of the call, while writes
     * continue. Split a long scan into several calls: a visit may hold back files.
     *
     * @param after the key to begin behind, or null to begin at the first
     * @param visitor called with key and image, which it must not modify; returns false to stop
     */
    void images(byte @Nullable [] after, BiPredicate<byte[], byte[]> visitor) throws IOException;

    /**
     * Visits the change feed after a point, oldest first, and returns when it has caught up.
     *
     * @param after sequence number of the last change seen; 0 for the oldest kept
     * @return the sequence number to continue from
     * @throws TooOld if changes after that point are no longer kept: scan, then follow
     */
    long changes(long after, Predicate<ChangeEvent> visitor) throws IOException, TooOld;

    /** Writes a consistent copy to a folder that does not exist, while the store keeps running. */
    void backup(Path folder) throws IOException;

    /**
     * Returns whether others change the records too: what readers find may then be a little old, and {@link #get} asks where the records
     * are.
     */
    default boolean isShared() {
        return false;
    }

    /** Returns the store's status. */
    StoreStatus status();

    @Override
    void close();

    /**
     * A change of a record, of one of two kinds: a {@link Merge} needs no read by its maker, a {@link Replace} is a function of the
     * current form. Changes of a key are made in the order of submission.
     */
    sealed interface Change {
        /**
         * Computes the next form of a record; must be quick.
         *
         * @param key the name's key
         * @param current the current stored form, or null if there is none; read-only. It may contain expired bindings
         * @param version the version that the next form must carry
         * @param nowMillis the time, milliseconds since 1970
         * @return the next stored form (see {@link RecordImage}), {@link #KEEP} to change nothing, or {@link #DELETE} to
         *     remove the record
         */
        byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis);

        /** Returns for whom the change is made, if a quota bounds that one; null for none. */
        default @Nullable Writer writer() {
            return null;
        }

        /** Leaves the record unchanged: the change was refused or is not needed. */
        byte[] KEEP = new byte[0];

        /** Removes the record. */
        byte[] DELETE = new byte[0];

        /**
         * Returns the store's own expiry change: removes expired parts, and the record if nothing is left. For other
         * implementations of this interface; create one for each record.
         */
        static Replace expire() {
            return new Expire(new LongAdder());
        }
    }

    /** A change that carries what is merged into the current form: in any order, and any number of times, as {@link RecordMerge} says. */
    non-sealed interface Merge extends Change {
        /** Returns what is merged, see {@link RecordMerge#change}. */
        byte[] image();

        /** Returns how long the tombstone of an UPDATE is kept. */
        long tombstoneMillis();

        @Override
        default byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
            return RecordMerge.merge(current, image(), version, nowMillis, tombstoneMillis());
        }
    }

    /**
     * A change that is a function of the current form: a store compares and sets. It may be called more than once, if the record has
     * changed meanwhile, by different threads one after another; the last call counts.
     */
    @FunctionalInterface
    non-sealed interface Replace extends Change {
        @Override
        byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis);
    }

    /**
     * A replace that would be a merge if it had a stamp. A store that alone decides the order of changes applies it. One whose records
     * others change too gives it a stamp that is later than all it has read, and merges; what it applies to the form that it has read
     * then says only whether the change is made.
     */
    interface Unstamped extends Replace {
        /** Returns the places, see {@link RecordMerge#change}; of any version. */
        byte[] image();

        /** Returns whether they are added to those that are there; else they replace them. */
        boolean append();
    }

    /**
     * A replace of a derived record, whose current form follows from the record that it is derived from: it is not read. The
     * store gives both forms their version.
     *
     * @param before the current form, null if there is none; it is written again if the group fails
     * @param after the next form, null if there will be none
     */
    record KnownReplace(byte @Nullable [] before, byte @Nullable [] after) implements Replace {
        /** Returns the replace that adds a record with a form of a door's own, see {@link RecordImage#writeForm}. */
        public static KnownReplace adding(byte[] key, byte[] form) {
            return new KnownReplace(null, RecordImage.writeForm(key, Record.ABSENT, form));
        }

        /** Returns the replace that removes a record of such a form. */
        public static KnownReplace removing(byte[] key, byte[] form) {
            return new KnownReplace(RecordImage.writeForm(key, Record.ABSENT, form), null);
        }

        @Override
        public byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
            return after == null ? DELETE : RecordImage.withVersion(after, version);
        }
    }

    /**
     * A source network, and what it may hold. A record counts for the network whose change made it, or last made it longer;
     * changes that do not make a record longer are always taken.
     */
    interface Writer {
        /** Returns the network, as {@link io.guidepost.base.SourceNetwork#of} numbers it. */
        long network();

        /** Returns how many records may count for it; 0 = no bound. */
        long recordsMax();

        /** Returns how many bytes of records may count for it; 0 = no bound. */
        long bytesMax();

        /** Says that the change is not made, for it would pass a bound; the committer calls. */
        void refused();
    }

    /** Receives the outcome of a change. */
    @FunctionalInterface
    interface Completion {
        /**
         * Receives the outcome once, on the committer's thread; must not wait.
         *
         * @param outcome the outcome
         * @param version the new version, or the current one if nothing was written
         */
        void complete(Outcome outcome, long version);

        /**
         * Returns a task to run once after all changes of a group have completed, even if several name it: a thread
         * woken then finds all of them. Called by the completing thread before {@link #complete}; must be quick and not
         * wait. Null for none.
         */
        default @Nullable Runnable afterwards() {
            return null;
        }
    }

    /** Observes every change, derived ones too, see {@link StoreOptions#observer}. */
    @FunctionalInterface
    interface Observer {
        /**
         * Receives a change that is durable and visible. Called by the committer alone, in order, before completions;
         * must be quick. The arrays are read-only.
         *
         * @param sequence its number in the change feed, see {@link RecordStore#changes}
         * @param key the name's key
         * @param before the stored form before this change, or null if there was none
         * @param after the stored form now, or null if there is none
         */
        void changed(long sequence, byte[] key, byte @Nullable [] before, byte @Nullable [] after);

        /**
         * Returns what receives the key of each record that is durable, before readers see it; null = nothing. Behind the last of a
         * group, when all are visible, comes {@link #changed} for each. Asked for once, when the store opens; called by the committer
         * alone; must be quick.
         */
        default @Nullable Consumer<byte[]> changing() {
            return null;
        }

        /** Returns an observer that tells this one, and then another. */
        default Observer and(Observer other) {
            Observer first = this;
            return new Observer() {
                @Override
                public @Nullable Consumer<byte[]> changing() {
                    Consumer<byte[]> own = first.changing();
                    Consumer<byte[]> others = other.changing();
                    return own == null ? others : others == null ? own : own.andThen(others);
                }

                @Override
                public void changed(long sequence, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
                    first.changed(sequence, key, before, after);
                    other.changed(sequence, key, before, after);
                }
            };
        }
    }

    /**
     * Derives records from others, see {@link StoreOptions#derivation}: a function of the two forms, but for their versions.
     * Thread-safe.
     */
    @FunctionalInterface
    interface Derivation {
        /**
         * Derives further changes from a change that is about to be committed; all become durable and visible together,
         * or none. Called by the thread that makes the change ({@link #replace}) or the committer; must be quick. The arrays are
         * read-only. Derived changes are made by the committer, and derive nothing.
         *
         * @param key the name's key
         * @param before the stored form before this change, or null if there was none
         * @param after the new stored form, or null if there will be none
         * @param also takes derived changes by key, made in the order of the calls
         */
        void derive(
                byte[] key, byte @Nullable [] before, byte @Nullable [] after, BiConsumer<byte[], Replace> also);

        /** Returns a derivation that calls this one, and then another. */
        default Derivation and(Derivation other) {
            return (key, before, after, also) -> {
                derive(key, before, after, also);
                other.derive(key, before, after, also);
            };
        }
    }

    /** Adds to each change what follows from the order of commits, such as a number, see {@link StoreOptions#journal}. */
    @FunctionalInterface
    interface Journal {
        /**
         * Enters a change that is about to be committed, behind what is derived from it. As {@link Derivation#derive}, but
         * called by the committer alone, in order.
         *
         * @param nowMillis the time of the change
         */
        void enter(
                byte[] key,
                byte @Nullable [] before,
                byte @Nullable [] after,
                long nowMillis,
                BiConsumer<byte[], Replace> also);
    }

    /** Outcome of a change. */
    enum Outcome {
        /** Written with the store's durability, and visible to readers. */
        DONE,
        /** The change returned {@link Change#KEEP}. */
        KEPT,
        /** The disk or the engine refused; nothing was changed. Or a cluster did not say whether the change was made. */
        FAILED
    }

    /** When a write is acknowledged. */
    enum Durability {
        /** After its bytes were synced to the disk: survives power loss. */
        FSYNC,
        /** After the operating system has them: survives kill -9, not power loss. */
        OS,
        /**
         * At once: a kill loses what was not yet flushed to files for lack of memory; the store then has an earlier
         * consistent state. There is no change feed.
         */
        MEMORY
    }

    /**
     * One change in the feed.
     *
     * @param sequence its number; grows, with gaps
     * @param key the name's key
     * @param image the stored form after the change, or null if the record was removed
     */
    record ChangeEvent(long sequence, byte[] key, byte @Nullable [] image) {}

    /** Thrown when the feed no longer reaches back to a point. */
    final class TooOld extends Exception {
        private static final long serialVersionUID = 1L;

        /** Names the requested point and the oldest kept. */
        public TooOld(long asked, long oldest) {
            super("changes after " + asked + " are kept from " + oldest
                    + " on: scan the records once, then follow the feed from its end");
        }
    }
}
