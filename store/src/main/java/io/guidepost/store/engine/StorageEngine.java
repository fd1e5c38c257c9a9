package io.guidepost.store.engine;

import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What keeps the images: sorted by key, written in batches. One thread writes; any thread reads.
 *
 * <p>Keys that begin with the byte 0 are the store's own and no record's.
 */
public interface StorageEngine extends AutoCloseable {
    /** The value of a key, or null. */
    byte @Nullable [] get(byte[] key) throws IOException;

    /**
     * Makes the writes of a batch, all or none.
     *
     * @param sync whether to return only when they would survive a power loss
     * @throws IOException if the disk refuses; it is then unknown whether they would be there after {@link #recover}
     */
    void write(WriteBatchBuffer batch, boolean sync) throws IOException;

    /**
     * Visits values in the order of their keys, as they are at the time of the call.
     *
     * @param from the first key wanted
     * @param visitor false ends the visit
     */
    void visit(byte[] from, Visitor visitor) throws IOException;

    /** Number of the last write. */
    long sequence();

    /**
     * Visits writes after a number, up to another, oldest first.
     *
     * @return the number of the last write visited, or what {@code after} was
     */
    long changes(long after, long upTo, Predicate<RecordStore.ChangeEvent> visitor)
            throws IOException, RecordStore.TooOld;

    /** Writes a consistent copy of all files to a folder that does not exist. */
    void checkpoint(Path folder) throws IOException;

    /**
     * Tries to become writable again after {@link #write} failed; reads go on meanwhile where they can.
     *
     * @param undo writes to make before anyone reads: they put back what was there before the batch that failed, as
     *     that may have reached the disk
     * @param sync as with {@link #write}
     */
    void recover(WriteBatchBuffer undo, boolean sync) throws IOException;

    /** About how many keys there are. */
    long recordsEstimate();

    @Override
    void close();

    /** Hears each key and its value. */
    interface Visitor {
        /** Takes one; false ends the visit. */
        boolean take(byte[] key, byte[] value);
    }
}
