package io.guidepost.gnrs.replica;

import io.guidepost.store.RecordStore;
import org.jspecify.annotations.Nullable;

/**
 * Merges a form of a record that another server holds into the local replica; what has expired by this server's clock is watermarked.
 *
 * @param image see {@link io.guidepost.store.RecordMerge#change}
 * @param tombstoneMillis lifetime of the tombstone of an UPDATE
 */
public record ReplicaMerge(byte[] image, long tombstoneMillis, ExpiryWatermark watermark) implements RecordStore.Merge {
    @Override
    public byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
        watermark.came(image, nowMillis);
        return RecordStore.Merge.super.apply(key, current, version, nowMillis);
    }
}
