package io.guidepost.base;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * All memory of the process as one segment, read and written at absolute addresses: a field of a packet costs one load,
 * where a segment for each packet costs three and an object.
 *
 * <p>Nothing here checks bounds, and a wrong address crashes the process. Callers have checked lengths before; the
 * views check each access again when the process is started with {@code
 * -Dguidepost.packet.checked=true}.
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

    private static final long MASK = 0x0000_ffff_ffff_ffffL;
    private static final int NEAR = 0xffff;
    private static final ValueLayout.OfShort SHORT_BE = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfInt INT_BE = ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG_BE = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT_LE = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT_LE = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG_LE = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private Memory() {}

    /** Returns one byte, 0 to 255. */
    public static int u8(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address & MASK) & 0xff;
    }

    /** Returns two bytes in network order, 0 to 65,535. */
    public static int u16(long address) {
        return ALL.get(SHORT_BE, address & MASK) & 0xffff;
    }

    /** Returns four bytes in network order. */
    public static int i32(long address) {
        return ALL.get(INT_BE, address & MASK);
    }

    /** Returns eight bytes in network order. */
    public static long i64(long address) {
        return ALL.get(LONG_BE, address & MASK);
    }

    /** Writes one byte. */
    public static void put8(long address, int value) {
        ALL.set(ValueLayout.JAVA_BYTE, address & MASK, (byte) value);
    }

    /** Writes two bytes in network order. */
    public static void put16(long address, int value) {
        ALL.set(SHORT_BE, address & MASK, (short) value);
    }

    /** Writes four bytes in network order. */
    public static void put32(long address, int value) {
        ALL.set(INT_BE, address & MASK, value);
    }

    /** Writes eight bytes in network order. */
    public static void put64(long address, long value) {
        ALL.set(LONG_BE, address & MASK, value);
    }

    /** Returns two bytes in the processor's order, 0 to 65,535. */
    public static int u16Le(long address) {
        return ALL.get(SHORT_LE, address & MASK) & 0xffff;
    }

    /** Returns four bytes in the processor's order. */
    public static int i32Le(long address) {
        return ALL.get(INT_LE, address & MASK);
    }

    /** Returns eight bytes in the processor's order. */
    public static long i64Le(long address) {
        return ALL.get(LONG_LE, address & MASK);
    }

    /** Writes two bytes in the processor's order. */
    public static void put16Le(long address, int value) {
        ALL.set(SHORT_LE, address & MASK, (short) value);
    }

    /** Writes four bytes in the processor's order. */
    public static void put32Le(long address, int value) {
        ALL.set(INT_LE, address & MASK, value);
    }

    /**
     * Returns two bytes in network order, 0 to 65,535, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static int u16(long address, int offset) {
        return ALL.get(SHORT_BE, (address & MASK) + (offset & NEAR)) & 0xffff;
    }

    /**
     * Returns eight bytes in network order, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static long i64(long address, int offset) {
        return ALL.get(LONG_BE, (address & MASK) + (offset & NEAR));
    }

    /**
     * Returns four bytes in network order, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static int i32(long address, int offset) {
        return ALL.get(INT_BE, (address & MASK) + (offset & NEAR));
    }

    /**
     * Writes two bytes in network order, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static void put16(long address, int offset, int value) {
        ALL.set(SHORT_BE, (address & MASK) + (offset & NEAR), (short) value);
    }

    /**
     * Writes four bytes in network order, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static void put32(long address, int offset, int value) {
        ALL.set(INT_BE, (address & MASK) + (offset & NEAR), value);
    }

    /**
     * Writes eight bytes in network order, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static void put64(long address, int offset, long value) {
        ALL.set(LONG_BE, (address & MASK) + (offset & NEAR), value);
    }

    /**
     * Returns two bytes in the processor's order, 0 to 65,535, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static int u16Le(long address, int offset) {
        return ALL.get(SHORT_LE, (address & MASK) + (offset & NEAR)) & 0xffff;
    }

    /**
     * Returns eight bytes in the processor's order, at a small distance from an address.
     *
     * @param offset 0 to 65,535
     */
    public static long i64Le(long address, int offset) {
        return ALL.get(LONG_LE, (address & MASK) + (offset & NEAR));
    }

    /** Writes eight bytes in the processor's order. */
    public static void put64Le(long address, long value) {
        ALL.set(LONG_LE, address & MASK, value);
    }

    /** Copies bytes; the ranges may overlap. */
    public static void copy(long from, long to, long bytes) {
        MemorySegment.copy(ALL, from & MASK, ALL, to & MASK, bytes);
    }

    /** Copies bytes out of an array. */
    public static void copy(byte[] from, int first, long to, int bytes) {
        MemorySegment.copy(from, first, ALL, ValueLayout.JAVA_BYTE, to & MASK, bytes);
    }

    /** Copies bytes into an array. */
    public static void copy(long from, byte[] to, int first, int bytes) {
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, from & MASK, to, first, bytes);
    }
}
