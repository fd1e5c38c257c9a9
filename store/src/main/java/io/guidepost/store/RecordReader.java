package io.guidepost.store;

import java.lang.foreign.MemorySegment;

/**
 * One thread's read access to the records. Between {@link #enter} and {@link #exit} every record that {@link #find}
 * returned stays readable, though newer versions may appear; afterwards its memory may be reused. Allocates nothing,
 * takes no lock.
 */
public interface RecordReader {
    /** Result of a lookup. */
    enum Found {
        /** The record is at {@link RecordReader#segment} and {@link RecordReader#offset}. */
        YES,
        /** There is no such record. */
        NO,
        /** The index has no definitive result; the engine may have the record. */
        UNKNOWN
    }

    /** Starts a burst of lookups. */
    void enter();

    /** Ends the burst. */
    void exit();

    /**
     * Looks up the record of a key.
     *
     * @param namespace first byte of the key
     * @param segment holds the rest of the key
     * @param offset of the rest in the segment
     * @param length bytes of the rest; the caller has checked that they are there
     */
    Found find(byte namespace, MemorySegment segment, long offset, int length);

    /**
     * Prefetches the memory that {@link #find} will read for a key in this burst, so that the cache misses of several
     * keys overlap. Call it for all keys before the first lookup, best in the same order. Decides nothing; optional.
     *
     * @param namespace first byte of the key
     * @param segment holds the rest of the key, unchanged until the lookup
     * @param offset of the rest in the segment
     * @param length bytes of the rest; the caller has checked that they are there
     */
    default void prefetch(byte namespace, MemorySegment segment, long offset, int length) {}

    /** Returns the memory that holds the record found last, in its stored form, see {@link RecordImage}. */
    MemorySegment segment();

    /** Returns the record's offset in that memory. */
    long offset();
}
