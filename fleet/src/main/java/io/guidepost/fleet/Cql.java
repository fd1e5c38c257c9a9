package io.guidepost.fleet;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements that a front end has for its cluster. Each waits for its answer: they are for virtual threads. The tables are drawn
 * in {@link FleetSchema}.
 */
interface Cql extends AutoCloseable {
    /** Statements, and what is made of their answers. */
    @FunctionalInterface
    interface Call<T> {
        T make() throws ClusterException;
    }

    /**
     * Reads the row of a record from a quorum.
     *
     * @param serial whether a compare-and-set that is under way is finished first, so that the row tells how it ended
     * @return null if there is none
     */
    @Nullable RecordRow read(byte[] key, boolean serial) throws ClusterException;

    /** Reads the places of a name from a quorum. */
    PlaceCells places(byte[] key) throws ClusterException;

    /** What a record is made of. */
    record RowAndPlaces(@Nullable RecordRow row, PlaceCells places) {}

    /**
     * What has a key listed. A deletion of one removes what that wrote alone: a place that is written at the same time may have an
     * earlier stamp than the deletion of a row, and stay.
     */
    enum ListedBy {
        ROW,
        PLACES
    }

    /** Reads the row of a record, as {@link #read} does, and its places. */
    default RowAndPlaces readBoth(byte[] key, boolean serial) throws ClusterException {
        return new RowAndPlaces(read(key, serial), places(key));
    }

    /** Merges places into those of a name, and takes away what is older than their UPDATE if there is one: all at once. */
    void merge(byte[] key, PlaceCells places) throws ClusterException;

    /**
     * Writes a row if the present one has a version.
     *
     * @param expected the version; 0 for no row
     * @param ttlSeconds after which the row is gone; 0 = never
     * @return whether it was written
     */
    boolean compareAndSet(byte[] key, long expected, RecordRow next, int ttlSeconds) throws ClusterException;

    /**
     * Marks a row as settled, if it has a version still.
     *
     * @param ttlSeconds as when the row was written
     */
    void settle(byte[] key, long version, int ttlSeconds) throws ClusterException;

    /**
     * Writes a key into its list, where it stays until that much later, whatever shorter lives others write for it.
     *
     * @param by what will have the key
     * @param stamp of that: the version of the row, or of the places
     * @param ttlSeconds after which it may be gone; 0 = never
     */
    void list(byte[] key, ListedBy by, long stamp, int ttlSeconds) throws ClusterException;

    /** Removes from the list what was written by one of the two with a stamp that is not later. */
    void unlist(byte[] key, ListedBy by, long stamp) throws ClusterException;

    /**
     * Returns the keys of a bucket from one on, in their order.
     *
     * @param most keys that are returned at most
     */
    List<byte[]> listed(int bucket, byte[] from, int most) throws ClusterException;

    /** Returns why no statement can be made yet; empty if they can. */
    default String away() {
        return "";
    }

    @Override
    void close();
}
