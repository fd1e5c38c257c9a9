package io.guidepost.store;

import io.guidepost.names.Exchange;
import io.guidepost.store.index.ChunkPool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The process's memory as one segment in which an offset is an address: readers reach any chunk of the index without
 * loading a segment object for it first. Only {@link ChunkPool} makes addresses, and it never gives memory back to the
 * system, so an address that was good stays good; {@code EpochReclaimer} says for how long its content stays the same.
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

    /** Eight bytes of an array, big-endian: without a segment around the array, which would be allocated. */
    public static long longAt(byte[] bytes, int offset) {
        return (long) ARRAY_LONG.get(bytes, offset);
    }

    /** Sets eight bytes of an array, big-endian. */
    public static void longAt(byte[] bytes, int offset, long value) {
        ARRAY_LONG.set(bytes, offset, value);
    }

    /** Four bytes of an array, big-endian. */
    public static int intAt(byte[] bytes, int offset) {
        return (int) ARRAY_INT.get(bytes, offset);
    }

    public static long slot(long address) {
        return (long) SLOT.getAcquire(ALL, address);
    }

    /** The same for whoever puts a fence behind several of them. */
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

    /** Copies from an address into a new array. */
    public static byte[] read(long from, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(ALL, BYTE, from, bytes, 0, length);
        return bytes;
    }

    /** Whether two stretches are equal; of eight bytes and more the last word overlaps the one before. */
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
