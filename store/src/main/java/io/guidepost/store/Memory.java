package io.guidepost.store;

import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The process's memory as one segment in which an offset is an address: readers reach any chunk of the index without
 * loading a segment object for it first. Only {@link ChunkPool} makes addresses, and it never gives memory back to the
 * system, so an address that was good stays good; {@link Epochs} says for how long its content stays the same.
 */
final class Memory {
    static final MemorySegment ALL = Exchange.MEMORY;

    /** Aligned longs in the order of the processor, for slots. */
    private static final VarHandle SLOT = ValueLayout.JAVA_LONG.varHandle();

    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final VarHandle ARRAY_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle ARRAY_INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private Memory() {}

    /** Eight bytes of an array, big-endian: without a segment around the array, which would be allocated. */
    static long longAt(byte[] bytes, int offset) {
        return (long) ARRAY_LONG.get(bytes, offset);
    }

    /** Sets eight bytes of an array, big-endian. */
    static void longAt(byte[] bytes, int offset, long value) {
        ARRAY_LONG.set(bytes, offset, value);
    }

    /** Four bytes of an array, big-endian. */
    static int intAt(byte[] bytes, int offset) {
        return (int) ARRAY_INT.get(bytes, offset);
    }

    static long slot(long address) {
        return (long) SLOT.getAcquire(ALL, address);
    }

    /** Sets four bytes of an array, big-endian. */
    static void intAt(byte[] bytes, int offset, int value) {
        ARRAY_INT.set(bytes, offset, value);
    }

    static void slot(long address, long value) {
        SLOT.setRelease(ALL, address, value);
    }

    /** Copies an array to an address. */
    static void write(byte[] from, int length, long to) {
        MemorySegment.copy(from, 0, ALL, BYTE, to, length);
    }

    /** Copies from an address into a new array. */
    static byte[] read(long from, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(ALL, BYTE, from, bytes, 0, length);
        return bytes;
    }

    /** Whether two stretches are equal; wide loads, the last of which overlaps the one before. */
    static boolean same(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int length) {
        int at = 0;
        for (; at + 8 <= length; at += 8) {
            if (a.get(LONG, aOffset + at) != b.get(LONG, bOffset + at)) {
                return false;
            }
        }
        if (at + 4 <= length) {
            if (a.get(INT, aOffset + at) != b.get(INT, bOffset + at)) {
                return false;
            }
            at += 4;
        }
        for (; at < length; at++) {
            if (a.get(BYTE, aOffset + at) != b.get(BYTE, bOffset + at)) {
                return false;
            }
        }
        return true;
    }
}
