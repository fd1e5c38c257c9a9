package io.guidepost.store.engine;

import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A storage engine: images sorted by key, written in atomic batches. One thread writes; any thread reads.
 *
 * <p>Keys that begin with the byte 0 are the store's own metadata.
 */
public interface StorageEngine extends AutoCloseable {
    /** Returns the value of a key, or null. */
    byte @Nullable [] get(byte[] key) throws IOException;

    /**
     * Writes a batch atomically.
     *
     * @param sync whether to return only when the writes survive a power loss
     * @throws IOException if the disk refuses; whether the writes exist after {@link #recover} is then unknown
     */
    void write(WriteBatchBuffer batch, boolean sync) throws IOException;

    /**
     * Visits a snapshot of the values in key order.
     *
     * @param from the first key to visit
     * @param visitor returns false to stop
     */
    void visit(byte[] from, Visitor visitor) throws IOException;

    /** Returns the number of the last write. */
    long sequence();

    /**
     * Visits writes after a number, up to another, oldest first.
     *
     * @return the number of the last write visited, or what {@code after} was
     */
    long changes(long after, long upTo, Predicate<RecordStore.ChangeEvent> visitor)
            throws IOException, RecordStore.TooOld;

    /** Writes a consistent checkpoint of all files to a folder that does not exist, and syncs them and their names. */
    void checkpoint(Path folder) throws IOException;

    /**
     * Attempts to become writable again after a failed {@link #write}; reads continue meanwhile where possible.
     *
     * @param undo writes that restore what the failed batch may have overwritten, made before any read
     * @param sync as with {@link #write}
     */
    void recover(WriteBatchBuffer undo, boolean sync) throws IOException;

    /** Returns the first damage that a read has found since the start, for people; empty if none has. */
    default String damage() {
        return "";
    }

    /** Returns why no {@link #write} is taken before {@link #recover} succeeds; empty if they are taken, or none has failed yet. */
    default String refusal() {
        return "";
    }

    /** Has little left to be done by {@link #release}. */
    default void settle() {}

    /**
     * Gives up the files, whose last write is whole, so that another process may open them. Nothing is read or written until
     * {@link #reacquire}.
     */
    default void release() {}

    /**
     * Has the files again.
     *
     * @throws IOException if another process has them still, or they cannot be opened
     */
    default void reacquire() throws IOException {}

    /** Returns the approximate number of keys. */
    long recordsEstimate();

    @Override
    void close();

    /** Visits each key and its value. */
    interface Visitor {
        /** Visits one; returns false to stop. */
        boolean take(byte[] key, byte[] value);
    }
}
