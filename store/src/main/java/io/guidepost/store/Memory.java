package io.guidepost.store;

import io.guidepost.names.Exchange;
import io.guidepost.store.index.ChunkPool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The process's memory as one segment whose offsets are addresses: readers reach any chunk without loading a segment
 * object. Only {@link ChunkPool} makes addresses and it never frees memory, so addresses stay valid; {@code EpochReclaimer}
 * tells for how long their content stays the same.
 */
public final class Memory {
    public static final MemorySegment ALL = Exchange.MEMORY;

    /** Aligned longs in the order of the processor, for slots. */
    private static final VarHandle SLOT = ValueLayout.JAVA_LONG.varHandle();

    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final VarHandle ARRAY_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle ARRAY_INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private Memory() {}

    /** Returns eight bytes of an array, big-endian: without a segment around the array, which would be allocated. */
    public static long longAt(byte[] bytes, int offset) {
        return (long) ARRAY_LONG.get(bytes, offset);
    }

    /** Sets eight bytes of an array, big-endian. */
    public static void longAt(byte[] bytes, int offset, long value) {
        ARRAY_LONG.set(bytes, offset, value);
    }

    /** Returns four bytes of an array, big-endian. */
    public static int intAt(byte[] bytes, int offset) {
        return (int) ARRAY_INT.get(bytes, offset);
    }

    public static long slot(long address) {
        return (long) SLOT.getAcquire(ALL, address);
    }

    /** Returns a slot without ordering, for callers that place one fence behind several reads. */
    public static long slotPlain(long address) {
        return (long) SLOT.get(ALL, address & Exchange.OFFSET_BITS);
    }

    /** Sets four bytes of an array, big-endian. */
    static void intAt(byte[] bytes, int offset, int value) {
        ARRAY_INT.set(bytes, offset, value);
    }

    public static void slot(long address, long value) {
        SLOT.setRelease(ALL, address, value);
    }

    /** Copies an array to an address. */
    public static void write(byte[] from, int length, long to) {
        MemorySegment.copy(from, 0, ALL, BYTE, to, length);
    }

    /** Returns a copy of bytes at an address. */
    public static byte[] read(long from, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(ALL, BYTE, from, bytes, 0, length);
        return bytes;
    }

    /** Returns whether two ranges are equal; from eight bytes on the last word overlaps the one before. */
    public static boolean same(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int length) {
        if (length < Long.BYTES) {
            return sameFew(a, aOffset, b, bOffset, length);
        }
        int last = length - Long.BYTES;
        for (int at = 0; at < last; at += Long.BYTES) {
            if (wordAt(a, aOffset + at) != wordAt(b, bOffset + at)) {
                return false;
            }
        }
        return wordAt(a, aOffset + last) == wordAt(b, bOffset + last);
    }

    private static long wordAt(MemorySegment segment, long offset) {
        return segment.get(LONG, offset & Exchange.OFFSET_BITS);
    }

    private static boolean sameFew(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int length) {
        for (int at = 0; at < length; at++) {
            if (a.get(BYTE, aOffset + at) != b.get(BYTE, bOffset + at)) {
                return false;
            }
        }
        return true;
    }
}
