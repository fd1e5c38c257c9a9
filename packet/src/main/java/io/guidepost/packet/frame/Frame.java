package io.guidepost.packet.frame;

/**
 * A flyweight over the bytes of one frame, or of a part of one. Offsets count from its first byte, numbers are in
 * network order. It belongs to one thread.
 *
 * <p>An access outside of the frame is an {@link IndexOutOfBoundsException}; one that a handler throws drops its frame, which
 * counts as {@code Drop.FAULT}. {@link #unchecked()} has no such bounds.
 */
public final class Frame {
    private final UncheckedFrame bytes;

    /** Creates a view of no bytes. */
    public Frame() {
        this(new UncheckedFrame());
    }

    Frame(UncheckedFrame bytes) {
        this.bytes = bytes;
    }

    /** Points the view at bytes. */
    public Frame wrap(long at, int length) {
        bytes.wrap(at, length);
        return this;
    }

    /** Returns a view of the same bytes whose accesses are not checked: a wrong offset crashes the process. */
    public UncheckedFrame unchecked() {
        return bytes;
    }

    /** Returns the address of the first byte. */
    public long address() {
        return bytes.address();
    }

    /** Returns the number of bytes. */
    public int length() {
        return bytes.length();
    }

    /** Returns one byte, 0 to 255. */
    public int u8(int offset) {
        return bytes.u8(inside(offset, 1));
    }

    /** Returns two bytes, 0 to 65,535. */
    public int u16(int offset) {
        return bytes.u16(inside(offset, 2));
    }

    /** Returns four bytes. */
    public int i32(int offset) {
        return bytes.i32(inside(offset, 4));
    }

    /** Returns eight bytes. */
    public long i64(int offset) {
        return bytes.i64(inside(offset, 8));
    }

    /** Returns an Ethernet address of six bytes, as the low 48 bits. */
    public long mac(int offset) {
        return bytes.mac(inside(offset, 6));
    }

    /** Writes two bytes. */
    public void put16(int offset, int value) {
        bytes.put16(inside(offset, 2), value);
    }

    private int inside(int offset, int size) {
        return Bounds.inside(offset, size, bytes.length());
    }
}
