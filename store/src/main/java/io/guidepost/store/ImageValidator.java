package io.guidepost.store;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;

/** Validates a stored form that a peer server sent, before it may be merged, stored or sent to clients. */
final class ImageValidator {
    private ImageValidator() {}

    /**
     * Validates all of it.
     *
     * @throws Malformed with the first reason
     */
    static void check(byte[] image) throws Malformed {
        int length = image.length;
        int keyEnd = RecordImage.HEADER_BYTES + 1 + Guid.BYTES;
        need(length <= CommonLimits.SHARED_RECORD_BYTES_MAX, length + " bytes are too many for a record", 0);
        need(length >= keyEnd + 8 + 16, length + " bytes are too few for a record", 0);
        need(image[0] == RecordImage.FORMAT, "format " + image[0] + " is unknown", 0);
        need((image[1] & RecordImage.STAMPED) != 0, "the record has no stamps", 1);
        need((image[1] & RecordImage.FORM) == 0, "forms of a door are not sent to other servers", 1);
        need((Memory.intAt(image, 0) & 0xffff) == 1 + Guid.BYTES, "the key is not that of a GUID", 2);
        need(Memory.intAt(image, 4) == length, "the record says another length than it has", 4);
        need(image[RecordImage.HEADER_BYTES] == Name.Namespace.GUID.code(), "the key is not that of a GUID", RecordImage.HEADER_BYTES);
        int count = Memory.intAt(image, 32);
        int addressBytes = Memory.intAt(image, 36);
        need(count >= 0 && count <= CommonLimits.LOCATORS_MAX, count + " bindings are more than allowed", 32);
        need(addressBytes >= 4 * count && addressBytes <= length, "the addresses do not fit the record", 36);
        int valuesAt = keyEnd + 8 + addressBytes + 16 * count + 16 + 8 * count;
        boolean values = (image[1] & RecordImage.VALUES) != 0;
        need(!values || valuesAt != length, "the record says that it has values, and has none", 1);
        need(values ? valuesAt < length : valuesAt == length, "the parts do not fill the record", 36);
        need(Memory.intAt(image, keyEnd) == count, "the two counts of bindings differ", keyEnd);
        addresses(image, keyEnd + 4, keyEnd + 4 + addressBytes, count);
        if (values) {
            RecordValues.check(image);
        }
        rows(image, new ImageRows(image), keyEnd + 4 + addressBytes);
    }

    private static void addresses(byte[] image, int from, int end, int count) throws Malformed {
        int at = from;
        for (int i = 0; i < count; i++) {
            need(at + 4 <= end, "an address is cut off", at);
            int bytes = Memory.intAt(image, at) & 0xffff;
            need(!Locator.isAnnotation(Memory.intAt(image, at) >>> 16), "a text or attributes are no place", at);
            need(bytes <= CommonLimits.LOCATOR_BYTES_MAX, "an address of " + bytes + " bytes is too long", at);
            need(bytes <= end - at - 4, "an address is longer than its part", at);
            at += 4 + bytes;
        }
        need(at == end, "the addresses are shorter than their part", at);
    }

    private static void rows(byte[] image, ImageRows rows, int ttls) throws Malformed {
        int count = rows.count;
        int expiries = ttls + 2 + 8 * count;
        int stamps = expiries + 2 + 8 * count;
        boolean fits = count >= 1 && count <= RecordImage.TIMED_BINDINGS_MAX;
        need(
                image[ttls] == (fits ? 0x02 : 0)
                        && (image[ttls + 1] & 0xff) == (fits ? 8 * count : 0)
                        && (image[expiries] & 0xff) == (fits ? 0x81 : 0)
                        && (image[expiries + 1] & 0xff) == (fits ? 8 * count : 0),
                "a row of times has a wrong header",
                ttls);
        long forgetAt = Memory.longAt(image, stamps + 8);
        need(rows.cleared >= 0, "a stamp is negative", stamps);
        need(forgetAt >= 0, "a time is negative", stamps + 8);
        int flags = RecordImage.STAMPED | image[1] & RecordImage.VALUES;
        long plainUntil = RecordImage.NEVER;
        long nextExpiry = forgetAt == 0 ? RecordImage.NEVER : forgetAt;
        long before = rows.cleared;
        for (int i = 0; i < count; i++) {
            long ttl = rows.ttl(i);
            long expiry = rows.expiry(i);
            need(ttl >= 0, "a time is negative", ttls + 2 + 8 * i);
            need(expiry >= 0, "a time is negative", expiries + 2 + 8 * i);
            need(rows.stamp(i) >= before, "a stamp is before the one that it should follow", stamps + 16 + 8 * i);
            need(rows.find(rows, i) == i, "a place stands twice", rows.address(i));
            before = rows.stamp(i);
            flags |= RecordImage.flagsOf(rows.type(i));
            plainUntil = Math.min(plainUntil, RecordImage.plainUntil(ttl, expiry));
            nextExpiry = Math.min(nextExpiry, expiry == 0 ? RecordImage.NEVER : expiry);
        }
        need(image[1] == flags, "the flags do not say what the record has", 1);
        need(Memory.longAt(image, 16) == plainUntil, "the time until which it is plain is wrong", 16);
        need(Memory.longAt(image, 24) == nextExpiry, "the time of the next expiry is wrong", 24);
    }

    private static void need(boolean holds, String otherwise, long offset) throws Malformed {
        if (!holds) {
            throw new Malformed(otherwise, offset);
        }
    }
}
