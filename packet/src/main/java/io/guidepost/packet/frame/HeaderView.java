package io.guidepost.packet.frame;

import io.guidepost.base.Memory;

/**
 * The common part of header views. A view is a flyweight over bytes and belongs to one thread; its accessors have the
 * names of the fields in the header's RFC, numbers are in network order.
 *
 * <p>{@link #read} is for untrusted bytes: it checks every length first, and after it returned {@code true} the
 * accessors stay inside of the bytes left. {@link #wrap} is for a header to be written. Both work on what {@link
 * HeaderParser} found: {@code udp.read(address + headers.transportOffset(), ...)}. An access outside of the bytes left is an
 * {@link IndexOutOfBoundsException}.
 *
 * @param <V> the view itself
 */
public abstract sealed class HeaderView<V extends HeaderView<V>> permits Ethernet, Arp, Ipv4, Ipv6, Udp, Tcp, IcmpHeader {
    private long address;
    private int bytesLeft;

    HeaderView() {}

    /**
     * Points the view at bytes and validates them.
     *
     * @param bytesLeft bytes from there to the end of the enclosing layer
     * @return whether a whole header with valid lengths is there; if not, no accessor may be called
     */
    public abstract boolean read(long address, int bytesLeft);

    /** Returns the bytes of the header, options included, which is the offset of its payload. */
    public int bytes() {
        return bytesMin();
    }

    /** Returns the bytes of the header without options. */
    abstract int bytesMin();

    /**
     * Points the view at room for a header, which need not be there yet.
     *
     * @throws IllegalArgumentException if the room is shorter than a header without options
     */
    @SuppressWarnings("unchecked") // Each view extends HeaderView of itself.
    public V wrap(long room, int left) {
        if (left < bytesMin()) {
            throw new IllegalArgumentException("a room of " + left + " bytes; the header needs " + bytesMin());
        }
        point(room, left);
        return (V) this;
    }

    final void point(long to, int left) {
        address = to;
        bytesLeft = left;
    }

    /** Returns the address of the header. */
    public final long address() {
        return address;
    }

    /** Returns the bytes from its first to the end of the enclosing layer. */
    public final int bytesLeft() {
        return bytesLeft;
    }

    /** Returns the address of the payload. */
    public final long payloadAddress() {
        return address + bytes();
    }

    final int u8(int offset) {
        return Memory.u8(place(offset, 1));
    }

    final int u16(int offset) {
        return Memory.u16(place(offset, 2));
    }

    final int i32(int offset) {
        return Memory.i32(place(offset, 4));
    }

    final long i64(int offset) {
        return Memory.i64(place(offset, 8));
    }

    final long mac(int offset) {
        return (long) u16(offset) << 32 | i32(offset + 2) & 0xffff_ffffL;
    }

    final void put8(int offset, int value) {
        Memory.put8(place(offset, 1), value);
    }

    final void put16(int offset, int value) {
        Memory.put16(place(offset, 2), value);
    }

    final void put32(int offset, int value) {
        Memory.put32(place(offset, 4), value);
    }

    final void put64(int offset, long value) {
        Memory.put64(place(offset, 8), value);
    }

    final void putMac(int offset, long mac) {
        put16(offset, (int) (mac >>> 32));
        put32(offset + 2, (int) mac);
    }

    private long place(int offset, int size) {
        return address + Bounds.inside(offset, size, bytesLeft);
    }
}
