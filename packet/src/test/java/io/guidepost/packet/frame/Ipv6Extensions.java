package io.guidepost.packet.frame;

import io.guidepost.base.Memory;

/**
 * Walks the extension headers of an IPv6 packet (RFC 8200 section 4; authentication: RFC 4302): {@code while
 * (extensions.next()) ...}. Behind the last, {@link #protocol} is the upper-layer protocol at {@link #address}.
 *
 * <pre>
 *  hop-by-hop, routing, destination   0 next header 8   1 length 8, in eight bytes without the first   2 data
 *  fragment                           0 next header 8   1 -   2 offset 13, 0, more 1   4 identification 32
 *  authentication                     0 next header 8   1 length 8, in four bytes less two             2 data
 * </pre>
 */
final class Ipv6Extensions {
    /** Next header: options for every hop. */
    public static final int HOP_BY_HOP = 0;

    /** Next header: routers to visit. */
    public static final int ROUTING = 43;

    /** Next header: a part of a packet. */
    public static final int FRAGMENT = 44;

    /** Next header: authentication. */
    public static final int AUTHENTICATION = 51;

    /** Next header: nothing follows. */
    public static final int NONE = 59;

    /** Next header: options for the destination. */
    public static final int DESTINATION = 60;

    /** More than any real packet has; RFC 8504 section 5.3 permits such a limit. */
    public static final int NUMBER_MAX = 8;

    private long nextAt;
    private long end;
    private int nextType;
    private int number;
    private int type;
    private long address;
    private int bytes;
    private boolean later;
    private boolean malformed;

    /**
     * Points the cursor before the first extension header.
     *
     * @param first address behind the IPv6 header
     * @param payloadBytes of the IPv6 header
     * @param nextHeader of the IPv6 header
     */
    public Ipv6Extensions wrap(long first, int payloadBytes, int nextHeader) {
        nextAt = first;
        address = first;
        end = first + payloadBytes;
        nextType = nextHeader;
        number = 0;
        later = false;
        malformed = false;
        return this;
    }

    /** Points the cursor before the first extension header of a packet. */
    Ipv6Extensions of(Ipv6 ipv6) {
        return wrap(ipv6.address() + Ipv6.BYTES, ipv6.payloadBytes(), ipv6.nextHeader());
    }

    /** Returns whether a next header number is an extension that can be walked over. */
    public static boolean isExtension(int number) {
        return number == HOP_BY_HOP
                || number == ROUTING
                || number == FRAGMENT
                || number == AUTHENTICATION
                || number == DESTINATION;
    }

    /** Advances to the next extension header; false if there is none, or it is malformed. */
    public boolean next() {
        address = nextAt;
        if (!isExtension(nextType) || later || malformed) {
            return false;
        }
        if (number == NUMBER_MAX || end - nextAt < 8) {
            malformed = true;
            return false;
        }
        int length = Memory.u8(nextAt + 1);
        int whole = switch (nextType) {
            case FRAGMENT -> 8;
            case AUTHENTICATION -> length + 2 << 2;
            default -> length + 1 << 3;
        };
        if (whole > end - nextAt) {
            malformed = true;
            return false;
        }
        type = nextType;
        bytes = whole;
        nextType = Memory.u8(nextAt);
        nextAt += whole;
        number++;
        later = type == FRAGMENT && fragmentOffset() > 0;
        return true;
    }

    /** Returns the type of this header. */
    public int type() {
        return type;
    }

    /** Returns the address of this header; behind the last, that of the upper layer. */
    public long address() {
        return address;
    }

    /** Returns the bytes of this header. */
    public int bytes() {
        return bytes;
    }

    /** Returns the upper-layer protocol, after the last header. */
    public int protocol() {
        return nextType;
    }

    /** Returns a fragment header's offset in bytes. No header follows an offset above 0. */
    public int fragmentOffset() {
        return Memory.u16(address + 2) & 0xfff8;
    }

    /** Returns whether a fragment header announces more fragments. */
    public boolean moreFragments() {
        return (Memory.u16(address + 2) & 1) != 0;
    }

    /** Returns a fragment header's identification, common to all fragments of a packet. */
    public int identification() {
        return Memory.i32(address + 4);
    }

    /** Points a cursor at the options of a hop-by-hop or destination options header. */
    public HeaderOptions options(HeaderOptions cursor) {
        return cursor.wrap(address + 2, bytes - 2, HeaderOptions.Form.IPV6);
    }

    /** Returns whether the walk ended at a malformed header, or after too many of them. */
    public boolean isMalformed() {
        return malformed;
    }
}
