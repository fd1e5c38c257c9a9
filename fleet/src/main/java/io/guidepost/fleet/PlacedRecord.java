package io.guidepost.fleet;

import io.guidepost.base.Malformed;
import io.guidepost.names.Name;
import io.guidepost.store.PlaceRows;
import io.guidepost.store.RecordImage;
import io.guidepost.store.StoredForm;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A record as a quorum has it: its row, which was compared and set, with the places that were merged beside it. Bindings of the row are
 * places that were made at its version, so what was written before there were places is merged with them. A row that derives from a
 * handle is the record only while the name has no places of its own.
 *
 * @param row null if there is none
 * @param places those beside the row
 * @param all places, and what else the row holds
 * @param image the stored form; null if there is no record
 * @param version not less than any version or stamp of it
 * @param wrong why it must not be shown; null if it may
 */
record PlacedRecord(
        @Nullable RecordRow row,
        PlaceRows places,
        PlaceRows all,
        byte @Nullable [] image,
        long version,
        @Nullable String wrong) {
    /** Life of the tombstone of an UPDATE. */
    static final long TOMBSTONE_MILLIS = TimeUnit.SECONDS.toMillis(FleetLimits.DELETED_SECONDS);

    /** Returns whether a key is one whose places are kept in rows of their own. */
    static boolean hasPlaces(byte[] key) {
        return key[0] == Name.Namespace.GUID.code();
    }

    static PlacedRecord of(byte[] key, @Nullable RecordRow row, PlaceCells cells, long nowMillis) {
        byte[] image = RecordRow.imageOf(row);
        long version = RecordRow.versionOf(row);
        String wrong = image == null ? null : StoredForm.wrong(key, image);
        if (wrong != null) {
            return new PlacedRecord(row, PlaceRows.NONE, PlaceRows.NONE, null, version, wrong);
        }
        try {
            PlaceRows places = cells.rows();
            version = Math.max(version, places.newest());
            boolean derived = image != null && (image[1] & RecordImage.DERIVED) != 0;
            PlaceRows all = image == null || derived || !hasPlaces(key) ? places : PlaceRows.of(image).merge(places);
            return new PlacedRecord(row, places, all, shown(key, image, derived, places, all, version, nowMillis), version, null);
        } catch (Malformed | IllegalArgumentException e) {
            return new PlacedRecord(
                    row, PlaceRows.NONE, PlaceRows.NONE, null, version, "a record in the cluster is damaged: " + e.getMessage());
        }
    }

    private static byte @Nullable [] shown(
            byte[] key, byte @Nullable [] image, boolean derived, PlaceRows places, PlaceRows all, long version, long nowMillis) {
        if (places.rows().isEmpty() && places.cleared() == 0) {
            return image;
        }
        if (image != null && derived && places.live(nowMillis).isEmpty()) {
            return RecordImage.withVersion(image.clone(), version);
        }
        return live(all, nowMillis) ? all.image(key, version, nowMillis, TOMBSTONE_MILLIS) : null;
    }

    private static boolean live(PlaceRows rows, long nowMillis) {
        return !rows.others().isEmpty() || !rows.live(nowMillis).isEmpty();
    }

    /** Returns whether its row holds more than what derives from a handle, and so lives by itself. */
    boolean hasOwnRow() {
        byte[] own = RecordRow.imageOf(row);
        return own != null && (own[1] & RecordImage.DERIVED) == 0;
    }

    /** Returns the form that a change which derives from a handle finds: what derives already, if anything does. */
    byte @Nullable [] imageForDerived() {
        return hasOwnRow() || RecordRow.imageOf(row) == null ? image : RecordRow.imageOf(row);
    }

    /** Returns its stored form when more was merged into it; null if there is then no record. */
    byte @Nullable [] imageWith(byte[] key, PlaceRows more, long nowMillis) {
        PlaceRows merged = all.merge(more);
        return live(merged, nowMillis)
                ? merged.image(key, Math.max(version, merged.newest()), nowMillis, TOMBSTONE_MILLIS)
                : null;
    }
}
