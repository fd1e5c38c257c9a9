package io.guidepost.names;

import io.guidepost.base.Malformed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A flat name of 160 bits, as MobilityFirst's GNRS and SCAFFOLD use it. Immutable.
 *
 * @param high bytes 0 to 7, big-endian
 * @param middle bytes 8 to 15, big-endian
 * @param low bytes 16 to 19, big-endian
 */
public record Guid(long high, long middle, int low) implements Comparable<Guid> {
    /** Length of every GUID in bytes. */
    public static final int BYTES = 20;

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Reads 20 bytes of a segment; the caller has checked that they are there. */
    public static Guid read(MemorySegment segment, long offset) {
        return new Guid(segment.get(LONG, offset), segment.get(LONG, offset + 8), segment.get(INT, offset + 16));
    }

    /** Writes 20 bytes into a segment; the caller has checked that there is room. */
    public void write(MemorySegment segment, long offset) {
        segment.set(LONG, offset, high);
        segment.set(LONG, offset + 8, middle);
        segment.set(INT, offset + 16, low);
    }

    /**
     * Returns the GUID of exactly 20 bytes.
     *
     * @throws IllegalArgumentException if the array has another length
     */
    public static Guid of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a GUID has 20 bytes, not " + bytes.length);
        }
        return read(MemorySegment.ofArray(bytes), 0);
    }

    /**
     * Returns the GUID that MobilityFirst's trace clients derive from a word: its ASCII characters, cut to 20 or padded
     * with zero bytes on the right.
     */
    public static Guid ofAscii(String word) {
        byte[] bytes = new byte[BYTES];
        byte[] text = word.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, bytes, 0, Math.min(text.length, BYTES));
        return of(bytes);
    }

    /**
     * Parses 40 hexadecimal digits, or a word of up to 20 printable ASCII characters as {@link #ofAscii} does.
     *
     * @throws Malformed if the text is neither
     */
    public static Guid parse(String text) throws Malformed {
        if (text.length() == 2 * BYTES) {
            for (int i = 0; i < text.length(); i++) {
                if (Character.digit(text.charAt(i), 16) < 0 || text.charAt(i) > 'f') {
                    throw new Malformed("'" + text.charAt(i) + "' is not a hexadecimal digit", i);
                }
            }
            return of(HexFormat.of().parseHex(text));
        }
        if (text.isEmpty() || text.length() > BYTES) {
            throw new Malformed(
                    "a GUID is 40 hexadecimal digits or a word of 1 to 20 characters, not " + text.length()
                            + " characters",
                    0);
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
                throw new Malformed("a GUID given as a word has printable ASCII characters only", i);
            }
        }
        return ofAscii(text);
    }

    /** Returns the 20 bytes, in a new array. */
    public byte[] toBytes() {
        byte[] bytes = new byte[BYTES];
        write(MemorySegment.ofArray(bytes), 0);
        return bytes;
    }

    /** Orders GUIDs as unsigned big-endian numbers, which is the order of their keys in the store. */
    @Override
    public int compareTo(Guid other) {
        int order = Long.compareUnsigned(high, other.high);
        if (order == 0) {
            order = Long.compareUnsigned(middle, other.middle);
        }
        return order != 0 ? order : Integer.compareUnsigned(low, other.low);
    }

    /** Returns 40 hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(toBytes());
    }
}
