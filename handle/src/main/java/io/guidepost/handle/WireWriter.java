package io.guidepost.handle;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;

/** Writes the primitive encodings that {@link WireReader} reads into a growing array. Not thread-safe. */
public final class WireWriter {
    private byte[] bytes = new byte[256];
    private int length;

    /** Returns the number of bytes written. */
    public int length() {
        return length;
    }

    /** Returns the written bytes in a new array. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** Writes the low 8 bits. */
    public WireWriter u8(int value) {
        grow(1);
        bytes[length++] = (byte) value;
        return this;
    }

    /** Writes the low 16 bits. */
    public WireWriter u16(int value) {
        return u8(value >>> 8).u8(value);
    }

    /** Writes 32 bits. */
    public WireWriter u32(int value) {
        return u16(value >>> 16).u16(value);
    }

    /** Writes seconds or another number of 0 to 2^32-1 in 32 bits. */
    public WireWriter seconds(long value) {
        if (value >>> 32 != 0) {
            throw new IllegalArgumentException(value + " does not fit 32 bits");
        }
        return u32((int) value);
    }

    /** Writes 64 bits. */
    public WireWriter u64(long value) {
        return u32((int) (value >>> 32)).u32((int) value);
    }

    /** Writes bytes without a length. */
    public WireWriter raw(byte[] value) {
        grow(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
        return this;
    }

    /** Writes bytes behind their length. */
    public WireWriter bytes(byte[] value) {
        return u32(value.length).raw(value);
    }

    /** Writes text in UTF-8 behind its length in bytes. */
    public WireWriter text(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a handle behind its length. */
    public WireWriter handle(Handle value) {
        return u32(value.length()).raw(value.bytes());
    }

    /** Writes a list of 32-bit numbers behind their count. */
    public WireWriter integers(List<Integer> values) {
        return list(values, (each, out) -> out.u32(each));
    }

    /** Writes a list behind its count. */
    public <T> WireWriter list(Collection<T> values, BiConsumer<T, WireWriter> element) {
        u32(values.size());
        for (T each : values) {
            element.accept(each, this);
        }
        return this;
    }

    /** Writes a record behind its length in bytes. */
    public WireWriter part(WireRecord record) {
        int at = length;
        u32(0);
        record.write(this);
        int end = length;
        length = at;
        u32(end - at - 4);
        length = end;
        return this;
    }

    private void grow(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(length, more)));
        }
    }
}
