package io.guidepost.store;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Merges two servers' forms of one record. All servers converge in any order and with any repetition of messages.
 *
 * <p>A record is a set of bindings, each with the stamp of the write that made it, and the stamp of the last UPDATE,
 * which removed all older bindings. Of two forms of a record the merged one has
 *
 * <ul>
 *   <li>the later of the two UPDATEs;
 *   <li>for each place the binding with the later stamp; of equal stamps the one that ends later, then the one that may
 *       be cached longer;
 *   <li>of these what is not older than the UPDATE, and has not ended;
 *   <li>of these, if they pass {@link CommonLimits#LOCATORS_MAX} or {@link CommonLimits#SHARED_RECORD_BYTES_MAX}, the newest; of
 *       equal stamps those whose bytes come first.
 * </ul>
 *
 * <p>That is a last-writer-wins element set (CRDT; Shapiro et al., Conflict-free replicated data types, 2011) whose
 * tombstones are one stamp. Merging is commutative, associative and idempotent except for expired parts. INSERT is a
 * record with stamped bindings and no UPDATE; UPDATE is one whose own stamp is that of its bindings; a deleted record
 * is an UPDATE without bindings, kept as a tombstone until it may be forgotten.
 *
 * <p>A record without stamps counts as one whose bindings were all made at its version.
 */
public final class RecordMerge {
    private RecordMerge() {}

    /**
     * Stamps every binding of a record, which turns an INSERT or UPDATE into a change to be merged.
     *
     * @param image the bindings in stored form; its stamps are ignored, and its values but those of {@link NamedValues}
     * @param update whether older bindings are removed
     * @throws IllegalArgumentException if it is no image
     */
    public static byte[] change(byte[] image, long stamp, boolean update) {
        ImageRows rows = new ImageRows(image);
        int bare = RecordImage.HEADER_BYTES + rows.keyLength() + 4 + Memory.intAt(image, 36) + 2 * (2 + 8 * rows.count);
        byte[] values = RecordValues.named(image);
        int stampsEnd = bare + 16 + 8 * rows.count;
        byte[] change = Arrays.copyOf(Arrays.copyOf(image, bare), stampsEnd + values.length);
        System.arraycopy(values, 0, change, stampsEnd, values.length);
        int without = image[1] & ~(RecordImage.VALUES | RecordImage.FORM);
        change[1] = (byte) (without | (values.length == 0 ? 0 : RecordImage.VALUES) | RecordImage.STAMPED);
        Memory.intAt(change, 4, change.length);
        Memory.longAt(change, 8, 0);
        long nextExpiry = RecordImage.NEVER;
        for (int i = 0; i < rows.count; i++) {
            nextExpiry = Math.min(nextExpiry, rows.expiry(i) == 0 ? RecordImage.NEVER : rows.expiry(i));
            Memory.longAt(change, bare + 16 + 8 * i, stamp);
        }
        Memory.longAt(change, 24, nextExpiry);
        Memory.longAt(change, bare, update ? stamp : 0);
        Memory.longAt(change, bare + 8, 0);
        return change;
    }

    /**
     * Returns the replicated form of a record: with stamps, without values but those of {@link NamedValues}, within {@link
     * CommonLimits#SHARED_RECORD_BYTES_MAX}.
     *
     * @return the image itself if it is in that form
     * @throws IllegalArgumentException if it is no image
     */
    public static byte[] shared(byte[] image) {
        if ((image[1] & (RecordImage.STAMPED | RecordImage.VALUES)) == RecordImage.STAMPED
                && image.length <= CommonLimits.SHARED_RECORD_BYTES_MAX) {
            return image;
        }
        ImageRows rows = new ImageRows(image);
        MergedImage merged = new MergedImage(ImageRows.NONE, rows);
        for (int i = 0; i < rows.count; i++) {
            merged.stay(rows, i);
        }
        merged.bound();
        long forgetAt = (image[1] & RecordImage.STAMPED) == 0 ? 0 : Memory.longAt(image, rows.rest() - 8 * rows.count - 8);
        return merged.write(Memory.longAt(image, 8), rows.cleared, forgetAt, RecordImage.NEVER, merged.values(false));
    }

    /**
     * Merges two forms of a record.
     *
     * @param current the known form, or null for none; its values stay, and attributes go with their places
     * @param change the form to merge into it; its values are ignored but those of {@link NamedValues}
     * @param version the version of the new form
     * @param nowMillis what expired before is left out
     * @param tombstoneMillis lifetime of the tombstone of an UPDATE
     * @return the new form, {@link RecordStore.Change#KEEP} if the change brings nothing new, or {@link
     *     RecordStore.Change#DELETE} if neither bindings nor a tombstone are left
     * @throws IllegalArgumentException if one of the two is no record, or values and places together pass the bounds
     */
    public static byte[] merge(
            byte @Nullable [] current, byte[] change, long version, long nowMillis, long tombstoneMillis) {
        if (current != null && (current[1] & RecordImage.DERIVED) != 0) {
            return RecordStore.Change.KEEP;
        }
        ImageRows old = current == null ? ImageRows.NONE : new ImageRows(current);
        ImageRows fresh = new ImageRows(change);
        long cleared = Math.max(old.cleared, fresh.cleared);
        long forgetAt = cleared == 0 ? 0 : sum(HybridClock.millis(cleared), tombstoneMillis);
        boolean forgotten = forgetAt <= nowMillis;
        long kept = forgotten ? 0 : cleared;
        MergedImage merged = new MergedImage(old, fresh);
        boolean text = merged.bringsText();
        boolean news = cleared != old.cleared && kept != old.cleared || text;
        for (int i = 0; i < old.count; i++) {
            if (!old.ended(i, nowMillis)) {
                if (old.stamp(i) >= cleared) {
                    merged.stay(old, i);
                } else {
                    news |= cleared != old.cleared;
                }
            }
        }
        for (int i = 0; i < fresh.count; i++) {
            int there = old.find(fresh, i);
            boolean live = fresh.stamp(i) >= cleared && !fresh.ended(i, nowMillis);
            if (there < 0) {
                if (live) {
                    merged.stay(fresh, i);
                    news = true;
                }
            } else if (fresh.later(i, old, there)) {
                news |= live || merged.stays(old, there);
                merged.leave(old, there);
                if (live) {
                    merged.stay(fresh, i);
                }
            }
        }
        if (!news) {
            return RecordStore.Change.KEEP;
        }
        if (merged.bound() && kept == old.cleared && !text && merged.staysAsItWas(nowMillis)) {
            return RecordStore.Change.KEEP;
        }
        long forgottenAt = forgotten ? 0 : forgetAt;
        byte[] values = merged.values(kept != 0);
        if (merged.isEmpty() && kept == 0 && values.length == 0) {
            return current == null ? RecordStore.Change.KEEP : RecordStore.Change.DELETE;
        }
        long valuesEnd = current != null && values.length > 0 && (current[1] & RecordImage.VALUES) != 0
                ? valuesEnd(current)
                : RecordImage.NEVER;
        return merged.write(version, kept, forgottenAt, valuesEnd, values);
    }

    private static long sum(long millis, long duration) {
        return duration > Long.MAX_VALUE - millis ? Long.MAX_VALUE : millis + duration;
    }

    /** Returns when the first of a record's values expires. */
    private static long valuesEnd(byte[] image) {
        try {
            return RecordImage.read(image).values().stream()
                    .mapToLong(each -> each.expiryMillis() == 0 ? RecordImage.NEVER : each.expiryMillis())
                    .min()
                    .orElse(RecordImage.NEVER);
        } catch (Malformed e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
