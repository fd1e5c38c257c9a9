package io.guidepost.base;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * All memory of the process as one segment, read and written at absolute addresses: a field of a packet costs one load,
 * where a segment for each packet costs three and an object.
 *
 * <p>Nothing here checks bounds, and a wrong address crashes the process. Callers have checked lengths before; the views of
 * frames and headers check each access.
 *
 * <p>Why is every address masked? With the upper 16 bits known to be zero the compiler proves that the access is inside
 * the segment and removes the bounds check; user addresses have 47 bits on the supported systems.
 *
 * <p>An address and an offset cost less than their sum where several accesses are near one address: it is masked once.
 *
 * <p>Without a suffix numbers are in network order; {@code Le} is the processor's order, for rings and structures of
 * the kernel and of DPDK.
 */
public final class Memory {
    /** All memory; offsets in it are addresses. */
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /** The bits that an address may have. A masked address is provably inside of {@link #ALL}. */
    public static final long MASK = 0x0000_ffff_ffff_ffffL;

    /** One byte. */
    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    /** Four bytes in network order. */
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);

    /** Eight bytes in network order. */
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);

    private static final int NEAR = 0xffff;
    private static final ValueLayout.OfShort SHORT_BE = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT_LE = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT_LE = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG_LE = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private static final VarHandle BYTE_AT = BYTE.varHandle();
    private static final VarHandle SHORT_BE_AT = SHORT_BE.varHandle();
    private static final VarHandle INT_AT = INT.varHandle();
    private static final VarHandle LONG_AT = LONG.varHandle();
    private static final VarHandle SHORT_LE_AT = SHORT_LE.varHandle();
    private static final VarHandle INT_LE_AT = INT_LE.varHandle();
    private static final VarHandle LONG_LE_AT = LONG_LE.varHandle();

    /** Aligned longs in the processor's order. */
    private static final VarHandle SLOT = ValueLayout.JAVA_LONG.varHandle();

    private static final VarHandle ARRAY_INT = MethodHandles.byteArrayViewVarHandle(int[].class, BIG_ENDIAN);
    private static final VarHandle ARRAY_LONG = MethodHandles.byteArrayViewVarHandle(long[].class, BIG_ENDIAN);

    private Memory() {}

    /** Returns the same segment, as a constant if it is {@link #ALL}: the compiler then specialises the likely branch. */
    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"}) // Either result is right; one saves bounds checks.
    public static MemorySegment known(MemorySegment segment) {
        return segment == ALL ? ALL : segment;
    }

    /** Returns one byte, 0 to 255. */
    public static int u8(long address) {
        return (byte) BYTE_AT.get(ALL, address & MASK) & 0xff;
    }

    /** Returns two bytes in network order, 0 to 65,535. */
    public static int u16(long address) {
        return (short) SHORT_BE_AT.get(ALL, address & MASK) & 0xffff;
    }

    /** Returns four bytes in network order. */
    public static int i32(long address) {
        return (int) INT_AT.get(ALL, address & MASK);
    }

    /** Returns eight bytes in network order. */
    public static long i64(long address) {
        return (long) LONG_AT.get(ALL, address & MASK);
    }

    /** Writes one byte. */
    public static void put8(long address, int value) {
        BYTE_AT.set(ALL, address & MASK, (byte) value);
    }

    /** Writes two bytes in network order. */
    public static void put16(long address, int value) {
        SHORT_BE_AT.set(ALL, address & MASK, (short) value);
    }

    /** Writes four bytes in network order. */
    public static void put32(long address, int value) {
        INT_AT.set(ALL, address & MASK, value);
    }

    /** Writes eight bytes in network order. */
    public static void put64(long address, long value) {
        LONG_AT.set(ALL, address & MASK, value);
    }

    /** Returns two bytes in the processor's order, 0 to 65,535. */
    public static int u16Le(long address) {
        return (short) SHORT_LE_AT.get(ALL, address & MASK) & 0xffff;
    }

    /** Returns four bytes in the processor's order. */
    public static int i32Le(long address) {
        return (int) INT_LE_AT.get(ALL, address & MASK);
    }

    /** Returns eight bytes in the processor's order. */
    public static long i64Le(long address) {
        return (long) LONG_LE_AT.get(ALL, address & MASK);
    }

    /** Writes two bytes in the processor's order. */
    public static void put16Le(long address, int value) {
        SHORT_LE_AT.set(ALL, address & MASK, (short) value);
    }

    /** Writes four bytes in the processor's order. */
    public static void put32Le(long address, int value) {
        INT_LE_AT.set(ALL, address & MASK, value);
    }

    /**
     * Returns two bytes in network order, 0 to 65,535, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static int u16(long address, int offset) {
        return (short) SHORT_BE_AT.get(ALL, (address & MASK) + (offset & NEAR)) & 0xffff;
    }

    /**
     * Returns eight bytes in network order, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static long i64(long address, int offset) {
        return (long) LONG_AT.get(ALL, (address & MASK) + (offset & NEAR));
    }

    /**
     * Returns four bytes in network order, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static int i32(long address, int offset) {
        return (int) INT_AT.get(ALL, (address & MASK) + (offset & NEAR));
    }

    /**
     * Writes two bytes in network order, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static void put16(long address, int offset, int value) {
        SHORT_BE_AT.set(ALL, (address & MASK) + (offset & NEAR), (short) value);
    }

    /**
     * Writes four bytes in network order, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static void put32(long address, int offset, int value) {
        INT_AT.set(ALL, (address & MASK) + (offset & NEAR), value);
    }

    /**
     * Writes eight bytes in network order, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static void put64(long address, int offset, long value) {
        LONG_AT.set(ALL, (address & MASK) + (offset & NEAR), value);
    }

    /**
     * Returns two bytes in the processor's order, 0 to 65,535, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static int u16Le(long address, int offset) {
        return (short) SHORT_LE_AT.get(ALL, (address & MASK) + (offset & NEAR)) & 0xffff;
    }

    /**
     * Returns eight bytes in the processor's order, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static long i64Le(long address, int offset) {
        return (long) LONG_LE_AT.get(ALL, (address & MASK) + (offset & NEAR));
    }

    /** Writes eight bytes in the processor's order. */
    public static void put64Le(long address, long value) {
        LONG_LE_AT.set(ALL, address & MASK, value);
    }

    /** Copies bytes; the ranges may overlap. */
    public static void copy(long from, long to, long bytes) {
        MemorySegment.copy(ALL, from & MASK, ALL, to & MASK, bytes);
    }

    /** Copies bytes out of an array. */
    public static void copy(byte[] from, int first, long to, int bytes) {
        MemorySegment.copy(from, first, ALL, BYTE, to & MASK, bytes);
    }

    /** Copies bytes into an array. */
    public static void copy(long from, byte[] to, int first, int bytes) {
        MemorySegment.copy(ALL, BYTE, from & MASK, to, first, bytes);
    }

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

    /** Returns an aligned long in the processor's order, with acquire semantics. */
    public static long slot(long address) {
        return (long) SLOT.getAcquire(ALL, address);
    }

    /** Returns a slot without ordering, for callers that place one fence behind several reads. */
    public static long slotPlain(long address) {
        return (long) SLOT.get(ALL, address & MASK);
    }

    /** Sets four bytes of an array, big-endian. */
    public static void intAt(byte[] bytes, int offset, int value) {
        ARRAY_INT.set(bytes, offset, value);
    }

    /** Writes an aligned long in the processor's order, with release semantics. */
    public static void slot(long address, long value) {
        SLOT.setRelease(ALL, address, value);
    }

    /** Writes an aligned long in the processor's order if it is as expected; returns whether it was. */
    public static boolean replaceSlot(long address, long expected, long value) {
        return SLOT.compareAndSet(ALL, address, expected, value);
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
        return segment.get(LONG, offset & MASK);
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
