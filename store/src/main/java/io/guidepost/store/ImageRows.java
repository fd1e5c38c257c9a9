package io.guidepost.store;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Memory;
import io.guidepost.names.Locator;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bindings of one stored form as rows over its bytes: the offset of each address, its times and its stamp. One
 * object serves all of them, as the committer merges each write from a peer server.
 */
final class ImageRows {
    /** Rows up to which a linear search is faster than a hash table. */
    private static final int LINEAR_MAX = 24;

    static final ImageRows NONE = new ImageRows();

    final byte[] image;
    final int count;

    /** The stamp of the last UPDATE, 0 if there was none. */
    final long cleared;

    /** Offsets of the addresses, and behind the last their end. */
    private final int[] at;

    /** Bytes of the value that holds each place's attributes; null if there are none. */
    private final int @Nullable [] attributes;

    private final int ttls;
    private final int expiries;

    /** Offset of the stamps, 0 if there are none. */
    private final int stamps;

    private final long version;
    private int @Nullable [] table;

    private ImageRows() {
        image = new byte[0];
        count = 0;
        cleared = 0;
        at = new int[1];
        attributes = null;
        ttls = 0;
        expiries = 0;
        stamps = 0;
        version = 0;
    }

    /**
     * Finds the rows of an image.
     *
     * @throws IllegalArgumentException if its parts do not lie within it
     */
    ImageRows(byte[] image) {
        this.image = image;
        need(image.length >= RecordImage.HEADER_BYTES && Memory.intAt(image, 4) == image.length);
        count = Memory.intAt(image, 32);
        int addressBytes = Memory.intAt(image, 36);
        int places = RecordImage.HEADER_BYTES + keyLength();
        need(count >= 0 && count <= CommonLimits.LOCATORS_MAX && addressBytes >= 4 * count);
        long end = places + 4L + addressBytes + 2 * (2 + 8L * count);
        need(end <= image.length);
        ttls = places + 4 + addressBytes + 2;
        expiries = ttls + 8 * count + 2;
        version = Memory.longAt(image, 8);
        if ((image[1] & RecordImage.STAMPED) == 0) {
            stamps = 0;
            cleared = 0;
        } else {
            need(end + 16 + 8L * count <= image.length);
            stamps = (int) end + 16;
            cleared = Memory.longAt(image, (int) end);
        }
        at = new int[count + 1];
        int next = places + 4;
        for (int i = 0; i < count; i++) {
            at[i] = next;
            need(next + 4 <= ttls - 2);
            next += 4 + (Memory.intAt(image, next) & 0xffff);
        }
        need(next == ttls - 2);
        at[count] = next;
        attributes = (image[1] & (RecordImage.VALUES | RecordImage.FORM)) == RecordImage.VALUES ? RecordValues.attributeBytes(this) : null;
    }

    /** Returns whether it has values that may belong to names. */
    boolean hasValues() {
        return (image.length > 1 && (image[1] & RecordImage.VALUES) != 0);
    }

    /** Returns the bytes of the value that holds a place's attributes; 0 if none does. */
    int attributeLength(int row) {
        return attributes == null ? 0 : attributes[row];
    }

    /** Returns the locator of a row. */
    Locator locator(int row) {
        return new Locator(type(row), Arrays.copyOfRange(image, at[row] + 4, at[row + 1]));
    }

    private static void need(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("the parts of a stored record do not lie within it");
        }
    }

    int keyLength() {
        return Memory.intAt(image, 0) & 0xffff;
    }

    /** Returns the offset behind locators and stamps: values, or nothing. */
    int rest() {
        return stamps == 0 ? expiries + 8 * count : stamps + 8 * count;
    }

    int address(int row) {
        return at[row];
    }

    int addressLength(int row) {
        return at[row + 1] - at[row];
    }

    int type(int row) {
        return Memory.intAt(image, at[row]) >>> 16;
    }

    long ttl(int row) {
        return Memory.longAt(image, ttls + 8 * row);
    }

    long expiry(int row) {
        return Memory.longAt(image, expiries + 8 * row);
    }

    long stamp(int row) {
        return stamps == 0 ? version : Memory.longAt(image, stamps + 8 * row);
    }

    boolean ended(int row, long nowMillis) {
        long expiry = expiry(row);
        return expiry != 0 && expiry <= nowMillis;
    }

    /** Returns whether a row wins over one of the same locator; all servers decide alike. */
    boolean later(int row, ImageRows other, int otherRow) {
        if (stamp(row) != other.stamp(otherRow)) {
            return stamp(row) > other.stamp(otherRow);
        }
        long end = expiry(row) == 0 ? Long.MAX_VALUE : expiry(row);
        long otherEnd = other.expiry(otherRow) == 0 ? Long.MAX_VALUE : other.expiry(otherRow);
        return end != otherEnd ? end > otherEnd : ttl(row) > other.ttl(otherRow);
    }

    /** Returns the row with the same locator as one of another image, -1 if there is none. */
    int find(ImageRows other, int otherRow) {
        if (count <= LINEAR_MAX) {
            for (int i = 0; i < count; i++) {
                if (same(i, other, otherRow)) {
                    return i;
                }
            }
            return -1;
        }
        int[] rows = table;
        if (rows == null) {
            rows = makeTable();
            table = rows;
        }
        for (int slot = other.hash(otherRow) & rows.length - 1; ; slot = slot + 1 & rows.length - 1) {
            if (rows[slot] == 0 || same(rows[slot] - 1, other, otherRow)) {
                return rows[slot] - 1;
            }
        }
    }

    private int[] makeTable() {
        int[] rows = new int[Integer.highestOneBit(count) << 2];
        for (int i = 0; i < count; i++) {
            int slot = hash(i) & rows.length - 1;
            while (rows[slot] != 0) {
                slot = slot + 1 & rows.length - 1;
            }
            rows[slot] = i + 1;
        }
        return rows;
    }

    private boolean same(int row, ImageRows other, int otherRow) {
        return Arrays.equals(image, at[row], at[row + 1], other.image, other.at[otherRow], other.at[otherRow + 1]);
    }

    /** Orders locators by their bytes: the same order on all servers. */
    int compare(int row, ImageRows other, int otherRow) {
        return Arrays.compareUnsigned(
                image, at[row], at[row + 1], other.image, other.at[otherRow], other.at[otherRow + 1]);
    }

    private int hash(int row) {
        int hash = 0;
        for (int i = at[row]; i < at[row + 1]; i++) {
            hash = 31 * hash + image[i];
        }
        return (hash * 0x9e3779b9) >>> 7;
    }
}
