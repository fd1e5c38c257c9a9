package io.guidepost.handle;

import io.guidepost.base.Malformed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the primitive encodings of the Handle protocol front to back: big-endian numbers, byte strings and texts behind
 * a 32-bit length, lists behind a 32-bit count. Compares each length and count with the bytes left before it allocates.
 * Faults give their offset from the first byte of the input. Not thread-safe.
 */
public final class WireReader {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Reads one element of a list. */
    @FunctionalInterface
    public interface Element<T> {
        /** Reads one element at the reader's position. */
        T read(WireReader in) throws Malformed;
    }

    private final MemorySegment segment;
    private final long start;
    private final int end;
    private int position;

    /** Creates a reader of a whole array. */
    public WireReader(byte[] bytes) {
        this(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    /** Creates a reader of part of a segment; the caller guarantees that it lies inside. */
    public WireReader(MemorySegment segment, long offset, int length) {
        this(segment, offset, 0, length);
    }

    private WireReader(MemorySegment segment, long start, int position, int end) {
        this.segment = segment;
        this.start = start;
        this.position = position;
        this.end = end;
    }

    /** Reads bytes that are one element, with nothing after it. */
    public static <T> T whole(byte[] bytes, Element<T> element) throws Malformed {
        WireReader in = new WireReader(bytes);
        T read = element.read(in);
        in.end();
        return read;
    }

    /** Returns the offset of the next byte from the first byte of the input. */
    public int position() {
        return position;
    }

    /** Returns the number of bytes left. */
    public int remaining() {
        return end - position;
    }

    /** Reads one byte, 0 to 255. */
    public int u8() throws Malformed {
        need(1, "a byte");
        return segment.get(BYTE, start + advance(1)) & 0xff;
    }

    /** Reads two bytes, 0 to 65535. */
    public int u16() throws Malformed {
        need(2, "a 16-bit number");
        return Short.toUnsignedInt(segment.get(SHORT, start + advance(2)));
    }

    /** Reads four bytes; the sign has no meaning. */
    public int u32() throws Malformed {
        need(4, "a 32-bit number");
        return segment.get(INT, start + advance(4));
    }

    /** Reads four bytes, 0 to 2^32-1. */
    public long seconds() throws Malformed {
        return Integer.toUnsignedLong(u32());
    }

    /** Reads eight bytes; the sign has no meaning. */
    public long u64() throws Malformed {
        need(8, "a 64-bit number");
        return segment.get(LONG, start + advance(8));
    }

    /** Reads a given number of bytes, without a length in front. */
    public byte[] raw(int length) throws Malformed {
        need(length, length + " bytes");
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, BYTE, start + advance(length), bytes, 0, length);
        return bytes;
    }

    /** Reads bytes behind their length, which is at most {@link HandleLimits#ARRAY_BYTES_MAX}. */
    public byte[] bytes() throws Malformed {
        return bytes(HandleLimits.ARRAY_BYTES_MAX);
    }

    /** Reads bytes behind their length, which is at most {@code bytesMax}. */
    public byte[] bytes(int bytesMax) throws Malformed {
        return raw(length(bytesMax));
    }

    /** Reads text in UTF-8 behind its length in bytes, which is at most {@code bytesMax}. */
    public String text(int bytesMax) throws Malformed {
        int at = position;
        byte[] bytes = bytes(bytesMax);
        return bytes.length == 0 ? "" : utf8(bytes, at);
    }

    /** Decodes UTF-8 that stands at an offset. */
    public static String utf8(byte[] bytes, int at) throws Malformed {
        return Utf8.decode(bytes).orElseThrow(() -> new Malformed("a text is not UTF-8", at));
    }

    /** Reads a handle behind its length. */
    public Handle handle() throws Malformed {
        byte[] bytes = bytes(HandleLimits.HANDLE_BYTES_MAX);
        return bytes.length == 0 ? Handle.NONE : Handle.of(bytes);
    }

    /** Reads a list of 32-bit numbers behind their count. */
    public List<Integer> integers(int elementsMax) throws Malformed {
        return list(4, elementsMax, WireReader::u32);
    }

    /**
     * Reads a list behind its count.
     *
     * @param bytesMin bytes of the shortest element: a count that the bytes left cannot hold is refused before anything
     *     is allocated
     * @param elementsMax the largest count that is accepted
     */
    public <T> List<T> list(int bytesMin, int elementsMax, Element<T> element) throws Malformed {
        int at = position;
        int count = u32();
        if (count < 0 || count > remaining() / bytesMin) {
            throw new Malformed(
                    "a list says " + Integer.toUnsignedString(count) + " elements, which the " + remaining()
                            + " bytes left cannot hold",
                    at);
        }
        if (count > elementsMax) {
            throw new Malformed("a list has " + count + " elements; at most " + elementsMax + " are taken", at);
        }
        List<T> elements = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            elements.add(element.read(this));
        }
        return elements;
    }

    /** Returns a reader of the next bytes alone and skips them here; it counts offsets as this one does. */
    public WireReader part(int length) throws Malformed {
        need(length, length + " bytes");
        return new WireReader(segment, start, advance(length), position);
    }

    /** Returns a reader of the bytes behind a 32-bit length, see {@link #part}. */
    public WireReader part() throws Malformed {
        return part(length(HandleLimits.ARRAY_BYTES_MAX));
    }

    /** Refuses bytes after the last element. */
    public void end() throws Malformed {
        if (position < end) {
            throw new Malformed((end - position) + " bytes follow the last element", position);
        }
    }

    private int length(int bytesMax) throws Malformed {
        int at = position;
        int length = u32();
        if (length < 0 || length > remaining()) {
            throw new Malformed(
                    "a length says " + Integer.toUnsignedString(length) + " bytes, and " + remaining() + " are left",
                    at);
        }
        if (length > bytesMax) {
            throw new Malformed("a field has " + length + " bytes; at most " + bytesMax + " are taken", at);
        }
        return length;
    }

    private void need(int bytes, String what) throws Malformed {
        if (bytes < 0 || end - position < bytes) {
            throw new Malformed(what + " is cut off: " + (end - position) + " bytes are left", position);
        }
    }

    private int advance(int bytes) {
        int at = position;
        position += bytes;
        return at;
    }
}
