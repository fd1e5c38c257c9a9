package io.guidepost.store;

import io.guidepost.names.Name;
import io.guidepost.names.Record;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Records by name, kept so that what was acknowledged survives kill -9.
 *
 * <p>Writes are handed to one committer, which applies them in order, makes a group of them durable with one sync,
 * publishes them to readers and then completes them. Reads of the packet path go through a {@link RecordReader} and never
 * wait; the other reads here may touch the disk. All methods may be called by any thread.
 */
public interface RecordStore extends AutoCloseable {
    /**
     * Makes a reader for one thread. It stays registered until the store closes, so a thread makes one and keeps it.
     */
    RecordReader reader();

    /**
     * Makes a reader that falls back to the engine where the index does not know: its {@link RecordReader#find} may wait for
     * the disk, never answers {@link RecordReader.Found#UNKNOWN}, and throws {@link java.io.UncheckedIOException} if the disk
     * cannot be read.
     */
    RecordReader throughReader();

    /**
     * Hands a change to the committer and returns at once.
     *
     * @param key the name's key: namespace byte and bytes; the store keeps the array
     * @param change what to do, called by the committer
     * @param completion told once when the change is durable and visible, or has failed, by the committer
     * @return false if the queue is full; the change is then not made and the completion not called
     */
    boolean submit(byte[] key, Change change, Completion completion);

    /**
     * The record of a name as it is now, expired bindings left out; empty if there is none. One that was deleted but has
     * copies at other servers, and is kept in mind for their sake, is none.
     */
    Optional<Record> get(Name name) throws IOException;

    /**
     * Puts a record in place of the one whose version is given, and waits until it is durable. In place of one with
     * stamps it is an UPDATE that happens now, which its copies at other servers come to when they are next brought into
     * line.
     *
     * @param record its version is ignored: the store gives the next one
     * @param expectedVersion the version that is to be replaced, {@link Record#ABSENT} for none
     * @return the version given, or empty if another version stood there
     */
    Optional<Long> put(Record record, long expectedVersion) throws IOException;

    /**
     * Removes a record, whatever its version, and waits until that is durable; false if there was none. Of one with
     * stamps it is kept in mind for ten days that it was removed, so that no copy at another server brings it back. To
     * have it gone without a trace, submit {@link Change#DELETE}.
     */
    boolean delete(Name name) throws IOException;

    /**
     * Visits records whose key starts with a prefix, in the order of keys, beginning after a key.
     *
     * @param prefix the first bytes of the keys wanted
     * @param after the key behind which to go on, or null to begin at the first
     * @param visitor called for each; false ends the scan
     */
    void scan(byte[] prefix, byte @Nullable [] after, Predicate<Record> visitor) throws IOException;

    /**
     * Visits stored forms in the order of their keys, with all that is kept in mind, as they are durable at the time of
     * the call. Writes go on meanwhile. For a long way call it for a piece at a time: the visit may hold back files.
     *
     * @param after the key behind which to begin, or null to begin at the first
     * @param visitor called with key and image, which it must not write to; false ends the visit
     */
    void images(byte @Nullable [] after, BiPredicate<byte[], byte[]> visitor) throws IOException;

    /**
     * Visits the changes after a point, oldest first, and returns when it has caught up.
     *
     * @param after sequence number of the last change already seen; 0 for the oldest kept
     * @return the sequence number to go on from
     * @throws TooOld if changes after that point are kept no longer: scan, then follow
     */
    long changes(long after, Predicate<ChangeEvent> visitor) throws IOException, TooOld;

    /** Writes a consistent copy to a folder that does not exist, while the store goes on. */
    void backup(Path folder) throws IOException;

    /** What the store is doing. */
    StoreStatus status();

    @Override
    void close();

    /** What to do with a record: called by the committer, in the order of submission, and must be quick. */
    @FunctionalInterface
    interface Change {
        /**
         * Makes the next form of a record.
         *
         * @param key the name's key
         * @param current the stored form as it is now, or null if there is none; not to be written to. Its expired
         *     bindings may still be there
         * @param version the version that the next form must carry
         * @param nowMillis the time, milliseconds since 1970
         * @return the next stored form (see {@link RecordImage}), {@link #KEEP} to leave things as they are, or
         *     {@link #DELETE} to remove the record
         */
        byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis);

        /** Leaves the record as it is: the change was refused or is not needed. */
        byte[] KEEP = new byte[0];

        /** Removes the record. */
        byte[] DELETE = new byte[0];

        /**
         * The change that a store makes by itself at times: takes out what has ended, and the record if nothing is left
         * of it. For stores of other kinds; make one for each record.
         */
        static Change expire() {
            return new Expire(new LongAdder());
        }
    }

    /** Hears what became of a change. */
    @FunctionalInterface
    interface Completion {
        /**
         * Called once, by the committer; must not wait.
         *
         * @param outcome what became of it
         * @param version the version that was given, or the one found if nothing was written
         */
        void complete(Outcome outcome, long version);

        /**
         * What is run once when all changes of a group have been told, however many of them name it: a thread that is woken then
         * finds them all, where one woken by the first would be woken again for the others. Asked for by the thread that
         * completes, before it does; must be quick, and not wait. Null for nothing.
         */
        default @Nullable Runnable afterwards() {
            return null;
        }
    }

    /** Hears of every change, see {@link StoreOptions#observer}. */
    @FunctionalInterface
    interface Observer {
        /**
         * A record has changed, and that is durable and visible. Called by the committer alone, in the order in which the
         * changes were made, before those who submitted them are told; must be quick. The arrays must not be written
         * to.
         *
         * @param key the name's key
         * @param before the stored form before this change, or null if there was none
         * @param after the stored form now, or null if there is none
         */
        void changed(byte[] key, byte @Nullable [] before, byte @Nullable [] after);
    }

    /** Makes records from others, see {@link StoreOptions#derivation}. */
    @FunctionalInterface
    interface Derivation {
        /**
         * A record is about to change: what follows from that becomes durable and visible with it, or not at all. Called
         * by the committer alone; must be quick. The arrays must not be written to. What was derived derives nothing.
         *
         * @param key the name's key
         * @param before the stored form before this change, or null if there was none
         * @param after the stored form to come, or null if there will be none
         * @param also takes further changes, by key, which are made in the order of the calls
         */
        void derive(
                byte[] key, byte @Nullable [] before, byte @Nullable [] after, BiConsumer<byte[], Change> also);
    }

    /** What became of a change. */
    enum Outcome {
        /** Written as durably as the store was opened for, and visible to readers. */
        DONE,
        /** The change itself said {@link Change#KEEP}. */
        KEPT,
        /** The disk or the engine refused; nothing was changed. */
        FAILED
    }

    /** When a write is acknowledged. */
    enum Durability {
        /** After its bytes were synced to the disk: survives power loss. */
        FSYNC,
        /** After the operating system has them: survives kill -9, not power loss. */
        OS,
        /**
         * At once: what was not yet moved to files for lack of memory is lost when the process is killed, so that the
         * store is then as it was at some moment before. There is no change feed.
         */
        MEMORY
    }

    /**
     * One change, as the feed tells it.
     *
     * @param sequence its number; grows, with gaps
     * @param key the name's key
     * @param image the stored form after the change, or null if the record was removed
     */
    record ChangeEvent(long sequence, byte[] key, byte @Nullable [] image) {}

    /** Says that the feed does not reach back so far. */
    final class TooOld extends Exception {
        private static final long serialVersionUID = 1L;

        /** Names the point asked for and the oldest kept. */
        public TooOld(long asked, long oldest) {
            super("changes after " + asked + " are kept from " + oldest
                    + " on: scan the records once, then follow the feed from its end");
        }
    }
}
