package io.guidepost.handle.record;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The stored form of a handle's record, after the fixed part and the key of an {@link RecordImage} with flag
 * {@link RecordImage#FORM}. Its middle part is the body of the commonest response, ready to be copied.
 *
 * <pre>
 *  offset size
 *     0     2  h, length of the handle in its creator's spelling; 0 if that is the key
 *     2     2  layout, 1
 *     4     4  p, bytes of the public part
 *     8     4  number of values that are not public
 *    12     p  count 32, public values: exactly the bytes after the handle in a response to RESOLVE of all values
 *  12+p     .  other values
 *     .     h  the handle
 * </pre>
 *
 * Values are as on the wire, see {@link HandleValue}, each part in the order of their indexes.
 */
public final class StoredHandleRecord {
    private static final int LAYOUT = 1;
    private static final int HEADER_BYTES = 12;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private StoredHandleRecord() {}

    /** Returns the number of bytes of the public part of the image at an offset. */
    public static int publicBytes(MemorySegment segment, long offset) {
        return segment.get(INT, RecordImage.form(segment, offset) + 4);
    }

    /** Returns the number of values that are not public. */
    public static int otherValues(MemorySegment segment, long offset) {
        return segment.get(INT, RecordImage.form(segment, offset) + 8);
    }

    /** Returns the position of the public part, which begins with the count of its values. */
    public static long publicPart(MemorySegment segment, long offset) {
        return RecordImage.form(segment, offset) + HEADER_BYTES;
    }

    /**
     * Encodes a record.
     *
     * @param key of the record, see {@link Handle#name}
     * @param version assigned by the store
     * @throws IllegalArgumentException if it exceeds the bounds of the store
     */
    public static byte[] write(byte[] key, long version, HandleRecord record) {
        WireWriter open = new WireWriter();
        WireWriter others = new WireWriter();
        int otherCount = 0;
        List<HandleValue> shown =
                record.values().stream().filter(each -> each.permissions().publicRead()).toList();
        open.list(shown, HandleValue::write);
        for (HandleValue each : record.values()) {
            if (!each.permissions().publicRead()) {
                each.write(others);
                otherCount++;
            }
        }
        byte[] name = record.handle().bytes();
        boolean same = Arrays.equals(name, 0, name.length, key, 1, key.length);
        WireWriter form = new WireWriter();
        form.u16(same ? 0 : name.length).u16(LAYOUT).u32(open.length()).u32(otherCount);
        form.raw(open.toBytes()).raw(others.toBytes());
        if (!same) {
            form.raw(name);
        }
        return RecordImage.writeForm(key, version, form.toBytes());
    }

    /**
     * Decodes an image.
     *
     * @throws Malformed with the first reason, if it is not a handle's record
     */
    public static HandleRecord read(byte[] image) throws Malformed {
        MemorySegment in = MemorySegment.ofArray(image);
        return read(in, 0);
    }

    /** Decodes the image at an offset; see {@link #read(byte[])}. */
    public static HandleRecord read(MemorySegment segment, long offset) throws Malformed {
        if ((RecordImage.flags(segment, offset) & RecordImage.FORM) == 0) {
            throw new Malformed("the record is not that of a handle", 1);
        }
        WireReader in =
                new WireReader(segment, RecordImage.form(segment, offset), RecordImage.formLength(segment, offset));
        int nameBytes = in.u16();
        if (in.u16() != LAYOUT) {
            throw new Malformed("the layout of a handle's record is " + LAYOUT, 2);
        }
        int publicBytes = in.u32();
        int otherCount = in.u32();
        WireReader open = in.part(publicBytes);
        List<HandleValue> values = new ArrayList<>(HandleValue.readList(open));
        open.end();
        for (int i = 0; i < otherCount; i++) {
            values.add(HandleValue.readPrefix(in));
        }
        int keyLength = RecordImage.keyLength(segment, offset);
        byte[] name = nameBytes != 0
                ? in.raw(nameBytes)
                : segment.asSlice(offset + RecordImage.HEADER_BYTES + 1, keyLength - 1).toArray(ValueLayout.JAVA_BYTE);
        in.end();
        return new HandleRecord(Handle.of(new String(name, StandardCharsets.UTF_8)), values);
    }
}
