package io.guidepost.fleet;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The row of one record. The arrays are not modified.
 *
 * @param version that of the record; grows with each change, over deletions too
 * @param change names the change that wrote the row: after an unknown outcome it tells whether that change was made
 * @param image the stored form; null if the record was deleted
 * @param before the stored form before the change, kept until the row is settled; null if there was none
 * @param settled whether all that derives from the change is written
 */
record RecordRow(long version, UUID change, byte @Nullable [] image, byte @Nullable [] before, boolean settled) {
    /** Returns the version of a row; 0 for none. */
    static long versionOf(@Nullable RecordRow row) {
        return row == null ? 0 : row.version;
    }

    /** Returns the image of a row; null if there is no record. */
    static byte @Nullable [] imageOf(@Nullable RecordRow row) {
        return row == null ? null : row.image;
    }
}
