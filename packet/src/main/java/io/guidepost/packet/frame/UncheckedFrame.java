package io.guidepost.packet.frame;

import io.guidepost.base.Memory;
import io.guidepost.packet.FramePool;

/**
 * A flyweight over the bytes of one frame, as {@link Frame}, without its bounds: for code whose every access is behind a
 * comparison with {@link #length}, and that is called for each packet. A wrong offset reads or overwrites other frames, or
 * crashes the process. One started with {@code -Dguidepost.packet.checked=true} checks here too.
 */
public final class UncheckedFrame {
    private long address;
    private int length;

    UncheckedFrame() {}

    void wrap(long at, int bytes) {
        address = at;
        length = bytes;
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
        return address + (FramePool.CHECKED ? Bounds.inside(offset, size, length) : offset);
    }
}
