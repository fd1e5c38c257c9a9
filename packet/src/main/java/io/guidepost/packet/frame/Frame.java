package io.guidepost.packet.frame;

import io.guidepost.base.Memory;

/**
 * A flyweight over the bytes of one frame, or of a part of one. Offsets count from its first byte, numbers are in
 * network order. It belongs to one thread.
 *
 * <p>An access outside of the frame is an {@link IndexOutOfBoundsException}; one that a handler throws drops its frame, which
 * counts as {@code Drop.FAULT}. {@link #unchecked()} has no such bounds.
 */
public final class Frame {
    private final UncheckedFrame unchecked;

    // Of its own, as in the other view: behind a reference the compiler does not find again what a parser has just written here.
    private long address;

    // Below it even eight bytes are inside: one comparison without a sign, with the same number for fields of every size.
    private int near;

    /** Creates a view of no bytes. */
    public Frame() {
        this(new UncheckedFrame());
    }

    Frame(UncheckedFrame unchecked) {
        this.unchecked = unchecked;
    }

    /** Points the view at bytes. */
    public Frame wrap(long at, int bytes) {
        point(at, bytes);
        unchecked.wrap(at, bytes);
        return this;
    }

    /** Points this view alone at bytes, at which a parser points the unchecked one by itself. */
    void point(long at, int bytes) {
        address = at;
        near = bytes < 7 ? 0 : bytes - 7;
    }

    /** Returns a view of the same bytes whose accesses are not checked: a wrong offset crashes the process. */
    public UncheckedFrame unchecked() {
        return unchecked;
    }

    /** Returns the address of the first byte. */
    public long address() {
        return address;
    }

    /** Returns the number of bytes. */
    public int length() {
        return unchecked.length();
    }

    /** Returns one byte, 0 to 255. */
    public int u8(int offset) {
        return Memory.u8(address + inside(offset, 1));
    }

    /** Returns two bytes, 0 to 65,535. */
    public int u16(int offset) {
        return Memory.u16(address + inside(offset, 2));
    }

    /** Returns four bytes. */
    public int i32(int offset) {
        return Memory.i32(address + inside(offset, 4));
    }

    /** Returns eight bytes. */
    public long i64(int offset) {
        return Memory.i64(address + inside(offset, 8));
    }

    /** Returns an Ethernet address of six bytes, as the low 48 bits. */
    public long mac(int offset) {
        return unchecked.mac(inside(offset, 6));
    }

    /** Writes two bytes. */
    public void put16(int offset, int value) {
        Memory.put16(address + inside(offset, 2), value);
    }

    private int inside(int offset, int size) {
        return Integer.compareUnsigned(offset, near) < 0 ? offset : Bounds.inside(offset, size, unchecked.length());
    }
}
