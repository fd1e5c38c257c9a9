package io.guidepost.packet.frame;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;

/**
 * The Ethernet header (IEEE 802.3) with up to two VLAN tags (IEEE 802.1Q, 802.1ad). Ethernet addresses are the low 48
 * bits of a long.
 *
 * <pre>
 *  0              6              12          14 each tag: 2 + 2
 *  | destination  | source       | EtherType | priority 3, drop 1, VLAN 12 | EtherType | ...
 * </pre>
 */
public final class Ethernet extends HeaderView<Ethernet> {
    /** Bytes without tags. */
    public static final int BYTES = 14;

    /** Bytes of a tag. */
    public static final int TAG_BYTES = 4;

    /** VLAN tags that are parsed: a customer's inside a provider's (QinQ). */
    public static final int TAGS_MAX = 2;

    /** The broadcast address. */
    public static final long BROADCAST = 0xffff_ffff_ffffL;

    private static final int DESTINATION = 0;
    private static final int SOURCE = 6;
    private static final int TYPE = 12;

    private int tags;

    @Override
    public boolean read(long address, int bytesLeft) {
        point(address, bytesLeft);
        tags = 0;
        if (bytesLeft < BYTES) {
            return false;
        }
        while (isTag(u16(TYPE + tags * TAG_BYTES))) {
            if (tags == TAGS_MAX || bytesLeft < bytes() + TAG_BYTES) {
                return false;
            }
            tags++;
        }
        return true;
    }

    /** {@inheritDoc} Until it is written it is without tags. */
    @Override
    public Ethernet wrap(long room, int left) {
        tags = 0;
        return super.wrap(room, left);
    }

    /** Writes a header without tags. */
    public Ethernet write(long destination, long source, int etherType) {
        // The upper 16 bits of the second word are the rest of the source.
        put64(DESTINATION, destination << 16 | source >>> 32 & 0xffff);
        put32(8, (int) source);
        put16(TYPE, etherType);
        tags = 0;
        return this;
    }

    private static boolean isTag(int etherType) {
        return etherType == HeaderParser.VLAN || etherType == HeaderParser.SERVICE_VLAN;
    }

    @Override
    public int bytes() {
        return BYTES + tags * TAG_BYTES;
    }

    @Override
    int bytesMin() {
        return BYTES;
    }

    /** Returns the destination address. */
    public long destination() {
        return mac(DESTINATION);
    }

    /** Writes the destination address. */
    public Ethernet destination(long mac) {
        putMac(DESTINATION, mac);
        return this;
    }

    /** Returns the source address. */
    public long source() {
        return mac(SOURCE);
    }

    /** Writes the source address. */
    public Ethernet source(long mac) {
        putMac(SOURCE, mac);
        return this;
    }

    /** Turns the header back to the sender, with a given source address. */
    public Ethernet turn(long own) {
        return destination(source()).source(own);
    }

    /** Returns the EtherType behind the tags; below 1,536 it is a length. */
    public int etherType() {
        return u16(TYPE + tags * TAG_BYTES);
    }

    /** Returns the number of tags, 0 to 2. */
    public int tags() {
        return tags;
    }

    /** Returns a tag's 16 bits; the outer one is number 0. */
    public int tag(int number) {
        return u16(BYTES + number * TAG_BYTES);
    }

    /** Returns the number of a tag's VLAN, 0 to 4,095. */
    public int vlan(int number) {
        return tag(number) & 0xfff;
    }

    /** Returns whether an address is a group address; broadcast is one. */
    public static boolean isGroup(long mac) {
        return (mac >>> 40 & 1) != 0;
    }

    /**
     * Pushes a VLAN tag in front of a frame's other tags; the frame grows by four bytes at its front.
     *
     * @param etherType {@link HeaderParser#VLAN} or {@link HeaderParser#SERVICE_VLAN}
     * @param tag priority 3 bits, drop eligible 1, VLAN 12
     * @throws IllegalArgumentException if it is no Ethernet frame, or has no headroom
     */
    public static void push(Burst burst, int index, int etherType, int tag) {
        long from = burst.offset(index);
        int length = burst.length(index);
        if (length < BYTES) {
            throw new IllegalArgumentException("a frame of " + length + " bytes has no Ethernet header");
        }
        burst.reshape(index, from - TAG_BYTES, length + TAG_BYTES);
        long addresses = Memory.i64(from);
        int rest = Memory.i32(from + 8);
        Memory.put64(from - TAG_BYTES, addresses);
        Memory.put32(from + 8 - TAG_BYTES, rest);
        Memory.put16(from + 8, etherType);
        Memory.put16(from + 10, tag);
    }

    /**
     * Pops the outer tag; the frame shrinks by four bytes at its front.
     *
     * @return the tag's 16 bits, -1 if the frame has none
     */
    public static int pop(Burst burst, int index) {
        long from = burst.offset(index);
        int length = burst.length(index);
        if (length < BYTES + TAG_BYTES || !isTag(Memory.u16(from + TYPE))) {
            return -1;
        }
        int tag = Memory.u16(from + BYTES);
        long addresses = Memory.i64(from);
        int rest = Memory.i32(from + 8);
        Memory.put32(from + 8 + TAG_BYTES, rest);
        Memory.put64(from + TAG_BYTES, addresses);
        burst.reshape(index, from + TAG_BYTES, length - TAG_BYTES);
        return tag;
    }
}
