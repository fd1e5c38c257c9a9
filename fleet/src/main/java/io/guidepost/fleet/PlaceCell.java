package io.guidepost.fleet;

import io.guidepost.base.Malformed;
import io.guidepost.store.PlaceRows.PlaceRow;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One place of a name as the cluster keeps it. All that is said of the place stands in one cell, as of two writes with one timestamp
 * the cluster takes each cell by itself:
 *
 * <pre>
 *  said   0  8  when the place ends, ms since 1970; 7fff ffff ffff ffff = never, so that of equal stamps the later end is the greater
 *         8  8  TTL in ms; 0 = not said
 *        16  .  attributes, as {@link io.guidepost.names.PlaceAttributes} has them behind the locator; none = nothing is said
 * </pre>
 *
 * @param place type, length and value of the locator
 * @param said the cell
 * @param stamp of the write that made it
 * @param ttlSeconds after which the cluster drops it; 0 = never, or not asked
 */
record PlaceCell(byte[] place, byte[] said, long stamp, int ttlSeconds) {
    private static final int TIMES_BYTES = 16;

    /** Returns the timestamp of cells that a write with a stamp makes: after {@link #deletionTimestamp}, as a tie would lose them. */
    static long timestamp(long stamp) {
        return 2 * stamp + 1;
    }

    /** Returns the timestamp of the deletion of all that is older than a stamp. */
    static long deletionTimestamp(long stamp) {
        return 2 * stamp;
    }

    /** Returns the stamp of the write that made a cell. */
    static long stamp(long timestamp) {
        return timestamp >> 1;
    }

    static PlaceCell of(PlaceRow row, int ttlSeconds) {
        byte[] said = ByteBuffer.allocate(TIMES_BYTES + row.attributes().length)
                .putLong(row.expiryMillis() == 0 ? Long.MAX_VALUE : row.expiryMillis())
                .putLong(row.ttlMillis())
                .put(row.attributes())
                .array();
        return new PlaceCell(row.place(), said, row.stamp(), ttlSeconds);
    }

    /**
     * Returns what it says.
     *
     * @throws Malformed if that is damaged
     */
    PlaceRow row() throws Malformed {
        if (said.length < TIMES_BYTES) {
            throw new Malformed("what is said of a place has at least 16 bytes, not " + said.length, 0);
        }
        ByteBuffer times = ByteBuffer.wrap(said);
        long expiry = times.getLong();
        long ttl = times.getLong();
        byte[] attributes = Arrays.copyOfRange(said, TIMES_BYTES, said.length);
        return new PlaceRow(place, ttl, expiry == Long.MAX_VALUE ? 0 : expiry, attributes, stamp).checked();
    }
}
