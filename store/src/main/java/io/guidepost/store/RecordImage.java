package io.guidepost.store;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a record: what engine, index and change feed hold. Its middle part is the most common GNRS
 * response, ready to be copied.
 *
 * <pre>
 *  offset size
 *     0     1  format, 1
 *     1     1  flags, see the constants
 *     2     2  k, length of the key
 *     4     4  length of the whole image
 *     8     8  version
 *    16     8  plain until: the places part may be sent as it is before this time, ms since 1970
 *    24     8  next expiry: the first binding or value ends at this time, ms since 1970
 *    32     4  b, number of bindings
 *    36     4  t, bytes of their addresses
 *    40     k  key: namespace byte and bytes of the name
 *  40+k     4  b again                                           ┐
 *           t  b addresses: type 16, length 16, value            │ places: with 1 to 15 bindings exactly
 *           2  option header 02 8b   (0 0 if b > 15)             │ what follows code and padding in a
 *          8b  per binding: TTL in ms, 0 = not said              │ GNRS LOOKUP_RESPONSE
 *           2  option header 81 8b   (0 0 if b > 15)             │
 *          8b  per binding: expiry, ms since 1970, 0 = never     ┘
 *           .  stamps, if flag STAMPED is set: cleared 64, forget at 64 (ms since 1970, 0 = never), b stamps 64
 *           .  the record in the form of its own door, if flags VALUES and FORM are set, see {@link Value#ofForm};
 *              other values, if VALUES alone is set: count 32, then each as index 32, type (16 + UTF-8), TTL 64,
 *              expiry 64, permissions 32, timestamp 64, data (32 + bytes), references 16 × (name (16 + UTF-8), index 32)
 * </pre>
 *
 * All numbers are big-endian. An image is immutable once published.
 */
public final class RecordImage {
    /** The record has a binding to another name. */
    public static final int CHAINED = 1;

    /** The record has a locator of a type that GNRS V1.0 does not know. */
    public static final int EXTENDED = 2;

    /** The record has values beside its locators. */
    public static final int VALUES = 4;

    /** The record has a stamp for each binding, see {@link #stamp}: it is replicated. */
    public static final int STAMPED = 8;

    /** What follows the locators is in the private form of the door that owns the namespace; set with {@link #VALUES}. */
    public static final int FORM = 16;

    /** The record is derived from another one and changes only with it, see {@link RecordStore.Derivation}. */
    public static final int DERIVED = 32;

    /** Where the flags are in {@link #head}. */
    public static final int FLAGS_SHIFT = 16;

    /** Bindings whose times fit an option that old receivers, which read its length as a signed byte, accept. */
    public static final int TIMED_BINDINGS_MAX = 15;

    /** A time that never comes. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Bytes before the key. */
    public static final int HEADER_BYTES = 40;

    /** The layout that this code writes. */
    public static final int FORMAT = 1;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /**
     * The stamps of a record.
     *
     * @param cleared the last UPDATE, 0 if there was none
     * @param forgetAt when that may be forgotten, milliseconds since 1970; 0 if there is nothing to forget
     * @param each one for each binding, in their order
     */
    @SuppressWarnings("ArrayRecordComponent") // Lives as long as one call.
    record Stamps(long cleared, long forgetAt, long[] each) {}

    private RecordImage() {}

    /**
     * Returns the flags, shifted by {@link #FLAGS_SHIFT}, and the length of the key in the lower 16 bits, with one
     * access.
     */
    public static int head(MemorySegment segment, long offset) {
        return segment.get(INT, offset);
    }

    /** Returns the number of bindings in the upper half and the bytes of their addresses in the lower, with one access. */
    public static long sizes(MemorySegment segment, long offset) {
        return segment.get(LONG, offset + 32);
    }

    /** Returns the flags of the image at an offset. */
    public static int flags(MemorySegment segment, long offset) {
        return segment.get(ValueLayout.JAVA_BYTE, offset + 1);
    }

    /** Returns the length of the key in bytes, namespace included. */
    public static int keyLength(MemorySegment segment, long offset) {
        return Short.toUnsignedInt(segment.get(SHORT, offset + 2));
    }

    /** Returns the length of the whole image in bytes. */
    public static int length(MemorySegment segment, long offset) {
        return segment.get(INT, offset + 4);
    }

    /** Returns the record's version. */
    public static long version(MemorySegment segment, long offset) {
        return segment.get(LONG, offset + 8);
    }

    /** Returns until when the locators may be sent as they stand, milliseconds since 1970. */
    public static long plainUntil(MemorySegment segment, long offset) {
        return segment.get(LONG, offset + 16);
    }

    /** Returns when the first binding or value expires, milliseconds since 1970; {@link #NEVER} if none does. */
    public static long nextExpiry(MemorySegment segment, long offset) {
        return segment.get(LONG, offset + 24);
    }

    /** Returns the number of bindings. */
    public static int bindings(MemorySegment segment, long offset) {
        return segment.get(INT, offset + 32);
    }

    /** Returns whether a record has a binding that has not expired by a time, milliseconds since 1970. */
    public static boolean bound(MemorySegment segment, long offset, long nowMillis) {
        int count = bindings(segment, offset);
        if (count == 0 || nextExpiry(segment, offset) > nowMillis) {
            return count > 0;
        }
        long expiries = expiries(segment, offset);
        for (int i = 0; i < count; i++) {
            long expiry = segment.get(LONG, expiries + 8L * i);
            if (expiry == 0 || expiry > nowMillis) {
                return true;
            }
        }
        return false;
    }

    /** Returns the bytes of all addresses, each with type and length. */
    public static int addressBytes(MemorySegment segment, long offset) {
        return segment.get(INT, offset + 36);
    }

    /** Returns the offset of the locators part: the count of bindings. */
    public static long places(MemorySegment segment, long offset) {
        return offset + HEADER_BYTES + keyLength(segment, offset);
    }

    /** Returns the bytes of the locators part, times included. */
    public static int placesLength(MemorySegment segment, long offset) {
        return 4 + addressBytes(segment, offset) + 2 * (2 + 8 * bindings(segment, offset));
    }

    /** Returns the offset of the TTLs, one long for each binding. */
    public static long ttls(MemorySegment segment, long offset) {
        return places(segment, offset) + 4 + addressBytes(segment, offset) + 2;
    }

    /** Returns the offset of the expiries, one long for each binding. */
    public static long expiries(MemorySegment segment, long offset) {
        return ttls(segment, offset) + 8L * bindings(segment, offset) + 2;
    }

    /** Returns the bytes of the stamps part. */
    public static int stampsLength(MemorySegment segment, long offset) {
        return (flags(segment, offset) & STAMPED) == 0 ? 0 : 16 + 8 * bindings(segment, offset);
    }

    /** Returns the offset of the door's private form, if flag {@link #FORM} is set. */
    public static long form(MemorySegment segment, long offset) {
        return stamps(segment, offset) + stampsLength(segment, offset);
    }

    /** Returns the bytes of that form. */
    public static int formLength(MemorySegment segment, long offset) {
        return length(segment, offset) - (int) (form(segment, offset) - offset);
    }

    private static long stamps(MemorySegment segment, long offset) {
        return places(segment, offset) + placesLength(segment, offset);
    }

    /** Returns the stamp of the last UPDATE, which removed all older bindings; 0 if there was none. */
    public static long cleared(MemorySegment segment, long offset) {
        return (flags(segment, offset) & STAMPED) == 0 ? 0 : segment.get(LONG, stamps(segment, offset));
    }

    /** Returns when the tombstone of the last UPDATE may be forgotten, milliseconds since 1970; 0 if there was none. */
    public static long forgetAt(MemorySegment segment, long offset) {
        return (flags(segment, offset) & STAMPED) == 0 ? 0 : segment.get(LONG, stamps(segment, offset) + 8);
    }

    /** Returns the stamp of a binding, see {@link HybridClock}; the record's version if it has none. */
    public static long stamp(MemorySegment segment, long offset, int binding) {
        return (flags(segment, offset) & STAMPED) == 0
                ? version(segment, offset)
                : segment.get(LONG, stamps(segment, offset) + 16 + 8L * binding);
    }

    /** Returns the newest stamp of a record. */
    public static long newest(MemorySegment segment, long offset) {
        long newest = cleared(segment, offset);
        for (int i = 0; i < bindings(segment, offset); i++) {
            newest = Math.max(newest, stamp(segment, offset, i));
        }
        return newest;
    }

    /**
     * Returns a digest of 64 bits over the replicated part of a record: its key, its last UPDATE and each binding with
     * its stamp and times, in any order, and whether the text of its name is known. Version and other values are not in it.
     *
     * @return 0 for a record without bindings and UPDATE, as for an absent one
     */
    public static long digest(MemorySegment segment, long offset) {
        return RecordDigest.of(segment, offset);
    }

    /**
     * Validates a stored form that a peer server sent: each part lies within it, derived fields are right, it is a
     * GUID's record with ordered stamps, without duplicate locators, and without values but those of names.
     *
     * @throws Malformed with the first reason
     */
    public static void check(MemorySegment segment, long offset, int length) throws Malformed {
        check(length <= CommonLimits.SHARED_RECORD_BYTES_MAX, length + " bytes are too many for a record", 0);
        byte[] image = new byte[Math.max(0, length)];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, image, 0, image.length);
        ImageValidator.check(image);
    }

    /** Validates an array as {@link #check(MemorySegment, long, int)} does. */
    public static void check(byte[] image) throws Malformed {
        ImageValidator.check(image);
    }

    /**
     * Writes the stored form of a record.
     *
     * @throws IllegalArgumentException if it would pass the bounds of {@link CommonLimits}
     */
    public static byte[] write(Record record) {
        return write(record.name().key(), record.version(), record.bindings(), record.values());
    }

    /** Writes a record without locators in a door's private form, see {@link Value#ofForm}. */
    public static byte[] writeForm(byte[] key, long version, byte[] form) {
        return write(key, version, List.of(), List.of(Value.ofForm(form)));
    }

    /** Gives an image another version, in place; returns it. */
    public static byte[] withVersion(byte[] image, long version) {
        Memory.longAt(image, 8, version);
        return image;
    }

    /** Writes the derived record of a GUID, which changes only with its origin. */
    public static byte[] writeDerived(byte[] key, long version, List<Binding> bindings) {
        byte[] image = write(key, version, bindings, List.of());
        image[1] |= DERIVED;
        return image;
    }

    /** Writes the stored form from its parts; see {@link #write(Record)}. */
    public static byte[] write(byte[] key, long version, List<Binding> bindings, List<Value> values) {
        return write(key, version, bindings, null, values);
    }

    /** Writes the stored form from its parts, stamps among them if it has any; see {@link #write(Record)}. */
    static byte[] write(
            byte[] key, long version, List<Binding> bindings, @Nullable Stamps stamps, List<Value> values) {
        int count = bindings.size();
        if (count > CommonLimits.LOCATORS_MAX) {
            throw new IllegalArgumentException(
                    "a record has at most " + CommonLimits.LOCATORS_MAX + " bindings, not " + count);
        }
        int flags = 0;
        int addressBytes = 0;
        long nextExpiry = NEVER;
        long plainUntil = NEVER;
        for (Binding each : bindings) {
            addressBytes += 4 + each.locator().data().length;
            flags |= flagsOf(each.locator().type());
            nextExpiry = Math.min(nextExpiry, each.expiryMillis() == 0 ? NEVER : each.expiryMillis());
            plainUntil = Math.min(plainUntil, plainUntil(each.ttlMillis(), each.expiryMillis()));
        }
        for (Value each : values) {
            nextExpiry = Math.min(nextExpiry, each.expiryMillis() == 0 ? NEVER : each.expiryMillis());
        }
        boolean form = values.size() == 1 && values.getFirst().isForm();
        byte[] others = form ? values.getFirst().data() : values.isEmpty() ? new byte[0] : writeValues(values);
        flags |= (values.isEmpty() ? 0 : VALUES) | (form ? FORM : 0);
        int stampBytes = 0;
        if (stamps != null) {
            flags |= STAMPED;
            stampBytes = 16 + 8 * count;
            nextExpiry = Math.min(nextExpiry, stamps.forgetAt() == 0 ? NEVER : stamps.forgetAt());
        }
        long length = (long) HEADER_BYTES
                + key.length
                + 4
                + addressBytes
                + 2 * (2 + 8L * count)
                + stampBytes
                + others.length;
        if (length > CommonLimits.RECORD_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a stored record has at most " + CommonLimits.RECORD_BYTES_MAX + " bytes, not " + length);
        }
        byte[] image = new byte[(int) length];
        MemorySegment out = MemorySegment.ofArray(image);
        writeHeader(out, flags, key, (int) length, version, plainUntil, nextExpiry, count, addressBytes);
        long at = (long) HEADER_BYTES + key.length;
        out.set(INT, at, count);
        at += 4;
        for (Binding each : bindings) {
            byte[] data = each.locator().data();
            out.set(SHORT, at, (short) each.locator().type());
            out.set(SHORT, at + 2, (short) data.length);
            MemorySegment.copy(data, 0, out, ValueLayout.JAVA_BYTE, at + 4, data.length);
            at += 4 + data.length;
        }
        at = writeTimesHeader(out, at, 0x02, count);
        for (Binding each : bindings) {
            out.set(LONG, at, each.ttlMillis());
            at += 8;
        }
        at = writeTimesHeader(out, at, 0x81, count);
        for (Binding each : bindings) {
            out.set(LONG, at, each.expiryMillis());
            at += 8;
        }
        if (stamps != null) {
            out.set(LONG, at, stamps.cleared());
            out.set(LONG, at + 8, stamps.forgetAt());
            at += 16;
            for (long each : stamps.each()) {
                out.set(LONG, at, each);
                at += 8;
            }
        }
        MemorySegment.copy(others, 0, out, ValueLayout.JAVA_BYTE, at, others.length);
        return image;
    }

    /** Returns the flags that a locator of a type gives its record. */
    public static int flagsOf(int type) {
        return switch (type) {
            case 0, 2 -> 0;
            case 1 -> CHAINED;
            default -> EXTENDED;
        };
    }

    /** Returns until when a binding may be sent as stored: until it expires, or its TTL would outlast it. */
    public static long plainUntil(long ttlMillis, long expiryMillis) {
        if (expiryMillis == 0) {
            return NEVER;
        }
        return expiryMillis - Math.min(Math.max(ttlMillis, 0), expiryMillis);
    }

    /** Writes the fixed part and the key. */
    public static void writeHeader(
            MemorySegment out,
            int flags,
            byte[] key,
            int length,
            long version,
            long plainUntil,
            long nextExpiry,
            int bindings,
            int addressBytes) {
        out.set(ValueLayout.JAVA_BYTE, 0, (byte) FORMAT);
        out.set(ValueLayout.JAVA_BYTE, 1, (byte) flags);
        out.set(SHORT, 2, (short) key.length);
        out.set(INT, 4, length);
        out.set(LONG, 8, version);
        out.set(LONG, 16, plainUntil);
        out.set(LONG, 24, nextExpiry);
        out.set(INT, 32, bindings);
        out.set(INT, 36, addressBytes);
        MemorySegment.copy(key, 0, out, ValueLayout.JAVA_BYTE, HEADER_BYTES, key.length);
    }

    /** Writes the header of a row of times, a GNRS option where it fits one; returns the offset behind it. */
    public static long writeTimesHeader(MemorySegment out, long at, int type, int bindings) {
        boolean fits = bindings >= 1 && bindings <= TIMED_BINDINGS_MAX;
        out.set(ValueLayout.JAVA_BYTE, at, (byte) (fits ? type : 0));
        out.set(ValueLayout.JAVA_BYTE, at + 1, (byte) (fits ? 8 * bindings : 0));
        return at + 2;
    }

    static byte[] writeValues(List<Value> values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(values.size());
            for (Value each : values) {
                out.writeInt(each.index());
                writeText(out, each.type());
                out.writeLong(each.ttlMillis());
                out.writeLong(each.expiryMillis());
                out.writeInt(each.permissions());
                out.writeLong(each.timestampMillis());
                out.writeInt(each.data().length);
                out.write(each.data());
                out.writeShort(each.references().size());
                for (Value.Reference reference : each.references()) {
                    writeText(out, reference.name());
                    out.writeInt(reference.index());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > 0xffff) {
            throw new IllegalArgumentException("a type or name has at most 65535 bytes, not " + utf8.length);
        }
        out.writeShort(utf8.length);
        out.write(utf8);
    }

    /**
     * Parses a whole image and validates all of it: the bytes may come from a damaged disk.
     *
     * @throws Malformed with the first reason, if the bytes are not an image
     */
    public static Record read(byte[] image) throws Malformed {
        MemorySegment in = MemorySegment.ofArray(image);
        check(image.length >= HEADER_BYTES, "an image has at least 40 bytes, not " + image.length, 0);
        check(image[0] == FORMAT, "format " + image[0] + " is unknown; this version reads " + FORMAT, 0);
        check(length(in, 0) == image.length, "the image says " + length(in, 0) + " bytes, not " + image.length, 4);
        int keyLength = keyLength(in, 0);
        int count = bindings(in, 0);
        int addressBytes = addressBytes(in, 0);
        check(count >= 0 && count <= CommonLimits.LOCATORS_MAX, count + " bindings are more than allowed", 32);
        check(
                addressBytes >= 4 * count
                        && (long) HEADER_BYTES + keyLength + 8 + addressBytes + 16L * count <= image.length,
                "the parts are longer than the image",
                36);
        Name name = Name.ofKey(Arrays.copyOfRange(image, HEADER_BYTES, HEADER_BYTES + keyLength));
        long places = places(in, 0);
        check(in.get(INT, places) == count, "the two counts of bindings differ", places);
        List<Binding> bindings = new ArrayList<>(count);
        long at = places + 4;
        long end = at + addressBytes;
        for (int i = 0; i < count; i++) {
            check(at + 4 <= end, "an address is cut off", at);
            int type = Short.toUnsignedInt(in.get(SHORT, at));
            int length = Short.toUnsignedInt(in.get(SHORT, at + 2));
            check(at + 4 + length <= end, "an address is longer than its part", at);
            byte[] data = Arrays.copyOfRange(image, (int) at + 4, (int) at + 4 + length);
            bindings.add(new Binding(
                    new Locator(type, data),
                    in.get(LONG, ttls(in, 0) + 8L * i),
                    in.get(LONG, expiries(in, 0) + 8L * i)));
            at += 4 + length;
        }
        check(at == end, "the addresses are shorter than their part", at);
        check(
                places + placesLength(in, 0) + stampsLength(in, 0) <= image.length,
                "the stamps are longer than the image",
                places);
        long others = places + placesLength(in, 0) + stampsLength(in, 0);
        boolean hasValues = (flags(in, 0) & VALUES) != 0;
        check(hasValues || others == image.length, "bytes follow the places", others);
        boolean form = (flags(in, 0) & FORM) != 0;
        check(hasValues || !form, "a form without values", 1);
        List<Value> values = form
                ? List.of(Value.ofForm(Arrays.copyOfRange(image, (int) others, image.length)))
                : hasValues ? new ValuesReader(image, (int) others).read() : List.of();
        return new Record(name, version(in, 0), bindings, values);
    }

    private static void check(boolean holds, String otherwise, long offset) throws Malformed {
        if (!holds) {
            throw new Malformed(otherwise, offset);
        }
    }

    /** Reads the values part sequentially. */
    private static final class ValuesReader {
        private final java.nio.ByteBuffer in;

        ValuesReader(byte[] image, int offset) {
            in = java.nio.ByteBuffer.wrap(image).position(offset);
        }

        List<Value> read() throws Malformed {
            int count = need(4).getInt();
            check(count >= 0 && count <= in.remaining() / 40, count + " values do not fit the bytes left", in.position());
            List<Value> values = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                int index = need(4).getInt();
                String type = text();
                long ttl = need(28).getLong();
                long expiry = in.getLong();
                int permissions = in.getInt();
                long timestamp = in.getLong();
                byte[] data = bytes(need(4).getInt());
                int references = Short.toUnsignedInt(need(2).getShort());
                List<Value.Reference> list = new ArrayList<>();
                for (int r = 0; r < references; r++) {
                    list.add(new Value.Reference(text(), need(4).getInt()));
                }
                values.add(new Value(index, type, data, ttl, expiry, permissions, timestamp, list));
            }
            check(!in.hasRemaining(), "bytes follow the last value", in.position());
            return values;
        }

        private java.nio.ByteBuffer need(int bytes) throws Malformed {
            check(in.remaining() >= bytes, "a value is cut off", in.position());
            return in;
        }

        private String text() throws Malformed {
            return new String(bytes(Short.toUnsignedInt(need(2).getShort())), StandardCharsets.UTF_8);
        }

        private byte[] bytes(int length) throws Malformed {
            check(length >= 0 && length <= in.remaining(), length + " bytes do not fit what is left", in.position());
            byte[] bytes = new byte[length];
            in.get(bytes);
            return bytes;
        }
    }
}
