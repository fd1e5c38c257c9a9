package io.guidepost.packet.ip;

import io.guidepost.base.Memory;
import io.guidepost.packet.frame.HeaderParser;

/**
 * The way to a station on the link, as one number: its Ethernet address and the VLAN that it is in.
 *
 * <pre>
 *  | Ethernet address 48 | 0 3 | tagged 1 | VLAN 12 |
 * </pre>
 */
final class LinkPath {
    /** No way: no device has the address of all zeros. */
    static final long NONE = 0;

    /** The broadcast address of the link, untagged. */
    static final long BROADCAST = 0xffff_ffff_ffff_0000L;

    static final int ETHERNET_BYTES = 14;
    static final int TAG_BYTES = 4;

    private static final int TAGGED = 0x1000;
    private static final int VLAN = 0xfff;

    private LinkPath() {}

    /** The way to a station; a VLAN of -1 is none. */
    static long of(long mac, int vlan) {
        return mac << 16 | (vlan < 0 ? 0 : TAGGED | vlan);
    }

    static long mac(long path) {
        return path >>> 16;
    }

    /** The VLAN of a way, -1 without one. */
    static int vlan(long path) {
        return (path & TAGGED) == 0 ? -1 : (int) path & VLAN;
    }

    /** Returns true if a frame has no tag, or one of IEEE 802.1Q. */
    static boolean isTaggedOnceAtMost(HeaderParser headers) {
        int bytes = headers.networkOffset();
        return bytes == ETHERNET_BYTES || bytes == ETHERNET_BYTES + TAG_BYTES && headers.unchecked().u16(12) == HeaderParser.VLAN;
    }

    /** Writes the Ethernet addresses of a frame; a tag stays as it is. */
    static void writeMacs(long frame, long to, long source) {
        Memory.put64(frame, to << 16 | source >>> 32);
        Memory.put32(frame + 8, (int) source);
    }

    static int headerBytes(long path) {
        return (path & TAGGED) == 0 ? ETHERNET_BYTES : ETHERNET_BYTES + TAG_BYTES;
    }

    /** Writes the Ethernet header, with the tag if there is one, so that it ends at an address; gives where it begins. */
    static long writeBefore(long address, long path, long source, int etherType) {
        int bytes = headerBytes(path);
        long start = address - bytes;
        Memory.put64(start, 0, path & ~0xffffL | source >>> 32);
        Memory.put32(start, 8, (int) source);
        if (bytes == ETHERNET_BYTES) {
            Memory.put16(start, 12, etherType);
        } else {
            Memory.put64(start, 10, (source & 0xffff) << 48 | (long) HeaderParser.VLAN << 32 | (path & VLAN) << 16 | etherType);
        }
        return start;
    }
}
