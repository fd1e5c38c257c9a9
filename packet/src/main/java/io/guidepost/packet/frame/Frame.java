package io.guidepost.packet.frame;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FramePool;

/**
 * A flyweight over the bytes of one frame, or of a part of one. Offsets count from its first byte, numbers are in
 * network order. It belongs to one thread.
 *
 * <p>Accesses are not checked: callers have compared {@link #length} before. A process started with {@code
 * -Dguidepost.packet.checked=true} checks each.
 */
public final class Frame {
    private long address;
    private int length;

    /** Points the view at bytes. */
    public Frame wrap(long at, int bytes) {
        address = at;
        length = bytes;
        return this;
    }

    /** Returns the address of the first byte. */
    public long address() {
        return address;
    }

    /** Returns the number of bytes. */
    public int length() {
        return length;
    }

    /** Returns one byte, 0 to 255. */
    public int u8(int offset) {
        return Memory.u8(at(offset, 1));
    }

    /** Returns two bytes, 0 to 65,535. */
    public int u16(int offset) {
        return Memory.u16(at(offset, 2));
    }

    /** Returns four bytes. */
    public int i32(int offset) {
        return Memory.i32(at(offset, 4));
    }

    /** Returns eight bytes. */
    public long i64(int offset) {
        return Memory.i64(at(offset, 8));
    }

    /** Returns an Ethernet address of six bytes, as the low 48 bits. */
    public long mac(int offset) {
        return (long) u16(offset) << 32 | i32(offset + 2) & 0xffff_ffffL;
    }

    /** Writes two bytes. */
    public void put16(int offset, int value) {
        Memory.put16(at(offset, 2), value);
    }

    private long at(int offset, int size) {
        if (FramePool.CHECKED && (offset < 0 || offset + size > length)) {
            throw new IndexOutOfBoundsException(
                    size + " bytes at " + offset + " of a frame of " + length + " bytes");
        }
        return address + offset;
    }
}
