package io.guidepost.store;

import java.lang.foreign.MemorySegment;

/**
 * One thread's eye on the records. Between {@link #enter} and {@link #exit} whatever {@link #find} showed stays
 * readable, though newer versions may appear; after {@code exit} it may be reused. Allocates nothing, takes no lock.
 */
public interface RecordReader {
    /** What a look found. */
    enum Found {
        /** The record is at {@link RecordReader#segment} and {@link RecordReader#offset}. */
        YES,
        /** There is no such record. */
        NO,
        /** The index does not know; the engine may. */
        UNKNOWN
    }

    /** Starts a burst of looks. */
    void enter();

    /** Ends it. */
    void exit();

    /**
     * Looks for the record of a key.
     *
     * @param namespace first byte of the key
     * @param segment where the rest of the key is
     * @param offset where in it
     * @param length bytes of the rest; the caller vouches that they are there
     */
    Found find(byte namespace, MemorySegment segment, long offset, int length);

    /**
     * Says that {@link #find} will be asked for a key in this burst. What the looks will read is fetched for all that were
     * named before the first look, so that their waits for memory overlap. Best in the order of the looks. Decides nothing;
     * may be left out.
     *
     * @param namespace first byte of the key
     * @param segment where the rest of the key is, and stays until it is looked for
     * @param offset where in it
     * @param length bytes of the rest; the caller vouches that they are there
     */
    default void ahead(byte namespace, MemorySegment segment, long offset, int length) {}

    /** The memory that holds the record found last, in its stored form, see {@link RecordImage}. */
    MemorySegment segment();

    /** Where in that memory it begins. */
    long offset();
}
