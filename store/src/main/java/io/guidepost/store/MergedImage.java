package io.guidepost.store;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Memory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A merge in progress: which bindings of two forms stay, and the resulting stored form. */
final class MergedImage {
    /** Bytes at which a record takes no older binding: one more of the longest, with its times, would still fit. */
    static final int FULL_BYTES = CommonLimits.SHARED_RECORD_BYTES_MAX - (4 + CommonLimits.LOCATOR_BYTES_MAX + 3 * 8);

    private final ImageRows old;
    private final ImageRows fresh;

    /** The rows of the old form, then those of the fresh one. */
    private final boolean[] stays;

    private int count;
    private int addressBytes;
    private int attributeBytes;

    MergedImage(ImageRows old, ImageRows fresh) {
        this.old = old;
        this.fresh = fresh;
        this.stays = new boolean[old.count + fresh.count];
    }

    private record Row(ImageRows rows, int number) {}

    @SuppressWarnings("ReferenceEquality") // Compared by identity.
    private int index(ImageRows rows, int row) {
        return rows == old ? row : old.count + row;
    }

    void stay(ImageRows rows, int row) {
        stays[index(rows, row)] = true;
        count++;
        addressBytes += rows.addressLength(row);
        attributeBytes += rows.attributeLength(row);
    }

    void leave(ImageRows rows, int row) {
        int index = index(rows, row);
        if (stays[index]) {
            stays[index] = false;
            count--;
            addressBytes -= rows.addressLength(row);
            attributeBytes -= rows.attributeLength(row);
        }
    }

    boolean stays(ImageRows rows, int row) {
        return stays[index(rows, row)];
    }

    boolean isEmpty() {
        return count == 0;
    }

    private int length() {
        return RecordImage.HEADER_BYTES + fresh.keyLength() + 4 + addressBytes + 2 * (2 + 8 * count) + 16 + 8 * count;
    }

    /** Returns whether the fresh form knows the text of the name, and the old one does not. */
    boolean bringsText() {
        return fresh.hasValues() && RecordValues.text(fresh.image).isPresent() && RecordValues.text(old.image).isEmpty();
    }

    /**
     * Returns the values of the result in stored form: those of the old one, the text of either, and the attributes of the
     * places that stay, from the form whose place stays; none if there are none.
     *
     * @param tombstone whether the record stays even without places
     */
    byte[] values(boolean tombstone) {
        if (!old.hasValues() && !fresh.hasValues()) {
            return RecordValues.NONE;
        }
        return RecordValues.merged(old, i -> stays(old, i), fresh, i -> stays(fresh, i), tombstone);
    }

    /**
     * Writes the stored form, bindings in the order of their stamps; after {@link #bound}.
     *
     * @param valuesEnd when the first of the values expires
     * @param values its values, see {@link #values}
     * @throws IllegalArgumentException if values and places together pass the bound of a record
     */
    byte[] write(long version, long cleared, long forgetAt, long valuesEnd, byte[] values) {
        int places = length();
        int others = values.length;
        if (places + others > CommonLimits.RECORD_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a stored record has at most " + CommonLimits.RECORD_BYTES_MAX + " bytes, not " + (places + others));
        }
        byte[] image = new byte[places + others];
        int keyEnd = RecordImage.HEADER_BYTES + fresh.keyLength();
        System.arraycopy(fresh.image, 0, image, 0, keyEnd);
        image[0] = RecordImage.FORMAT;
        int ttls = keyEnd + 4 + addressBytes;
        int expiries = ttls + 2 + 8 * count;
        int stamps = expiries + 2 + 8 * count;
        timesHeader(image, ttls, 0x02);
        timesHeader(image, expiries, 0x81);
        int flags = others == 0 ? RecordImage.STAMPED : RecordImage.STAMPED | RecordImage.VALUES;
        long plainUntil = RecordImage.NEVER;
        long nextExpiry = Math.min(valuesEnd, forgetAt == 0 ? RecordImage.NEVER : forgetAt);
        int to = keyEnd + 4;
        int oldRow = next(old, 0);
        int freshRow = next(fresh, 0);
        for (int i = 0; i < count; i++) {
            boolean first = freshRow == fresh.count
                    || oldRow < old.count && old.stamp(oldRow) <= fresh.stamp(freshRow);
            ImageRows rows = first ? old : fresh;
            int row = first ? oldRow : freshRow;
            System.arraycopy(rows.image, rows.address(row), image, to, rows.addressLength(row));
            to += rows.addressLength(row);
            long ttl = rows.ttl(row);
            long expiry = rows.expiry(row);
            Memory.longAt(image, ttls + 2 + 8 * i, ttl);
            Memory.longAt(image, expiries + 2 + 8 * i, expiry);
            Memory.longAt(image, stamps + 16 + 8 * i, rows.stamp(row));
            flags |= RecordImage.flagsOf(rows.type(row));
            plainUntil = Math.min(plainUntil, RecordImage.plainUntil(ttl, expiry));
            nextExpiry = Math.min(nextExpiry, expiry == 0 ? RecordImage.NEVER : expiry);
            if (first) {
                oldRow = next(old, oldRow + 1);
            } else {
                freshRow = next(fresh, freshRow + 1);
            }
        }
        image[1] = (byte) flags;
        Memory.intAt(image, 4, image.length);
        Memory.longAt(image, 8, version);
        Memory.longAt(image, 16, plainUntil);
        Memory.longAt(image, 24, nextExpiry);
        Memory.intAt(image, 32, count);
        Memory.intAt(image, 36, addressBytes);
        Memory.intAt(image, keyEnd, count);
        Memory.longAt(image, stamps, cleared);
        Memory.longAt(image, stamps + 8, forgetAt);
        System.arraycopy(values, 0, image, places, others);
        return image;
    }

    /** Returns the next row that stays, from a row on. */
    private int next(ImageRows rows, int from) {
        int row = from;
        while (row < rows.count && !stays(rows, row)) {
            row++;
        }
        return row;
    }

    private void timesHeader(byte[] image, int at, int type) {
        boolean fits = count >= 1 && count <= RecordImage.TIMED_BINDINGS_MAX;
        image[at] = (byte) (fits ? type : 0);
        image[at + 1] = (byte) (fits ? 8 * count : 0);
    }

    /**
     * Drops the oldest bindings beyond the bound: those below {@link #FULL_BYTES} or more of newer ones. The binding
     * that crosses the bound stays; without it, a server would forget that it existed and accept an older, smaller one
     * that another server refuses.
     *
     * @return whether a binding was dropped
     */
    boolean bound() {
        int full = old.hasValues() || fresh.hasValues() ? FULL_BYTES - RecordValues.NAMED_BYTES_MAX : FULL_BYTES;
        if (count <= CommonLimits.LOCATORS_MAX && length() + attributeBytes <= full) {
            return false;
        }
        List<Row> rows = new ArrayList<>(count);
        for (int i = 0; i < old.count; i++) {
            if (stays(old, i)) {
                rows.add(new Row(old, i));
            }
        }
        for (int i = 0; i < fresh.count; i++) {
            if (stays(fresh, i)) {
                rows.add(new Row(fresh, i));
            }
        }
        rows.sort(Comparator.<Row>comparingLong(each -> each.rows.stamp(each.number))
                .reversed()
                .thenComparing((left, right) -> left.rows.compare(left.number, right.rows, right.number)));
        rows.forEach(each -> leave(each.rows, each.number));
        for (Row each : rows) {
            if (count == CommonLimits.LOCATORS_MAX || length() + attributeBytes >= full) {
                return true;
            }
            stay(each.rows, each.number);
        }
        return false;
    }

    /** Returns whether the result is exactly the unexpired part of the old form. */
    boolean staysAsItWas(long nowMillis) {
        int before = 0;
        for (int i = 0; i < old.count; i++) {
            if (!old.ended(i, nowMillis)) {
                before++;
                if (!stays(old, i)) {
                    return false;
                }
            }
        }
        return count == before;
    }
}
