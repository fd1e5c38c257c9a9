package io.guidepost.packet.frame;

import io.guidepost.base.Memory;
import io.guidepost.packet.FramePool;

/**
 * What the views of single headers have in common. A view is pointed at bytes again and again, and belongs to one thread;
 * its accessors have the names that the header's fields have in its RFC, numbers are in network order on both sides.
 *
 * <p>{@link #read} is for bytes that came from elsewhere: it compares every length first, and after it said {@code true}
 * the accessors read nothing outside of the bytes left. {@code wrap} is for a header that shall be written. Both may be
 * used on what {@link HeaderParser} found: {@code udp.read(address + headers.transportOffset(), ...)}.
 */
public abstract sealed class HeaderView permits Ethernet, Arp, Ipv4, Ipv6, Udp, Tcp, Icmp, Icmpv6 {
    private long address;
    private int bytesLeft;

    HeaderView() {}

    /**
     * Points it at bytes and checks them.
     *
     * @param bytesLeft bytes from there to the end of what holds the header
     * @return whether a whole header is there whose own lengths can be; if not, nothing may be asked of it
     */
    public abstract boolean read(long address, int bytesLeft);

    /** Returns the bytes of the header, options included; where in it begins what it carries. */
    public abstract int bytes();

    /** Returns the bytes of the header without options. */
    abstract int bytesMin();

    /**
     * Points it at room that a header shall be written to.
     *
     * @throws IllegalArgumentException if the room is shorter than a header without options
     */
    void at(long room, int left) {
        if (left < bytesMin()) {
            throw new IllegalArgumentException("a room of " + left + " bytes; the header needs " + bytesMin());
        }
        point(room, left);
    }

    final void point(long to, int left) {
        address = to;
        bytesLeft = left;
    }

    /** Returns where it begins. */
    public final long address() {
        return address;
    }

    /** Returns the bytes from its first to the end of what holds it. */
    public final int bytesLeft() {
        return bytesLeft;
    }

    /** Returns where begins what it carries. */
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
        if (FramePool.CHECKED && (offset < 0 || offset + size > bytesLeft)) {
            throw new IndexOutOfBoundsException(
                    size + " bytes at " + offset + " of a header with " + bytesLeft + " bytes left");
        }
        return address + offset;
    }
}
