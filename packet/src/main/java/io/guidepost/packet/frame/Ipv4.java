package io.guidepost.packet.frame;

/**
 * The IPv4 header (RFC 791; differentiated services and congestion bits: RFC 2474, RFC 3168).
 *
 * <pre>
 *  0 version 4, header words 4   1 DSCP 6, ECN 2       2 total length 16
 *  4 identification 16                                 6 flags 3, fragment offset 13
 *  8 time to live 8              9 protocol 8         10 header checksum 16
 * 12 source 32
 * 16 destination 32
 * 20 options, 0 to 40 bytes
 * </pre>
 */
public final class Ipv4 extends HeaderView<Ipv4> {
    /** Bytes without options. */
    public static final int BYTES = 20;

    /** Flag: do not fragment. */
    public static final int DONT_FRAGMENT = 0x4000;

    /** Flag: more fragments follow. */
    public static final int MORE_FRAGMENTS = 0x2000;

    /** Time to live of packets made here (RFC 1700). */
    public static final int TTL = 64;

    private static final int TOTAL = 2;
    private static final int IDENTIFICATION = 4;
    private static final int PLACE = 6;
    private static final int TIME = 8;
    private static final int PROTOCOL = 9;
    private static final int CHECKSUM = 10;
    private static final int SOURCE = 12;
    private static final int DESTINATION = 16;

    @Override
    public boolean read(long address, int bytesLeft) {
        point(address, bytesLeft);
        if (bytesLeft < BYTES || u8(0) >>> 4 != 4) {
            return false;
        }
        return bytes() >= BYTES && totalBytes() >= bytes() && totalBytes() <= bytesLeft;
    }

    /** Writes a header without options, with "don't fragment" and its checksum. */
    public Ipv4 write(int protocol, int source, int destination, int payloadBytes) {
        put32(0, 0x4500_0000 | BYTES + payloadBytes & 0xffff);
        put32(IDENTIFICATION, DONT_FRAGMENT);
        put32(TIME, TTL << 24 | (protocol & 0xff) << 16);
        put32(SOURCE, source);
        put32(DESTINATION, destination);
        return fillChecksum();
    }

    @Override
    public int bytes() {
        return (u8(0) & 0xf) << 2;
    }

    @Override
    int bytesMin() {
        return BYTES;
    }

    /** Returns the bytes of header and payload. */
    public int totalBytes() {
        return u16(TOTAL);
    }

    /** Returns the bytes of payload. */
    public int payloadBytes() {
        return totalBytes() - bytes();
    }

    /** Returns the identification, common to all fragments of a packet. */
    public int identification() {
        return u16(IDENTIFICATION);
    }

    /** Writes the identification; the checksum is not updated. */
    public Ipv4 identification(int number) {
        put16(IDENTIFICATION, number);
        return this;
    }

    /** Returns {@link #DONT_FRAGMENT} and {@link #MORE_FRAGMENTS}. */
    public int flags() {
        return u16(PLACE) & 0xe000;
    }

    /** Returns the fragment offset in bytes. */
    public int fragmentOffset() {
        return (u16(PLACE) & 0x1fff) << 3;
    }

    /** Writes flags and the fragment offset in bytes, a multiple of 8; the checksum is not updated. */
    public Ipv4 fragment(int flags, int offset) {
        put16(PLACE, flags & 0xe000 | offset >>> 3 & 0x1fff);
        return this;
    }

    /** Returns the remaining hops. */
    public int ttl() {
        return u8(TIME);
    }

    /** Writes the remaining hops; the checksum is not updated. */
    public Ipv4 ttl(int hops) {
        put8(TIME, hops);
        return this;
    }

    /**
     * Decrements the TTL and updates the checksum.
     *
     * @return whether the packet may be forwarded; if not, nothing was changed (RFC 1812 section 5.3.1)
     */
    public boolean hop() {
        int before = u16(TIME);
        if (before < 0x200) {
            return false;
        }
        put16(TIME, before - 0x100);
        put16(CHECKSUM, InternetChecksum.update16(u16(CHECKSUM), before, before - 0x100));
        return true;
    }

    /** Returns the protocol of the payload. */
    public int protocol() {
        return u8(PROTOCOL);
    }

    /** Returns whether the checksum is right. */
    public boolean isChecksumRight() {
        return InternetChecksum.of(address(), bytes()) == 0;
    }

    /** Computes and writes the checksum. */
    public Ipv4 fillChecksum() {
        put16(CHECKSUM, 0);
        put16(CHECKSUM, InternetChecksum.of(address(), bytes()));
        return this;
    }

    /** Returns the source address. */
    public int source() {
        return i32(SOURCE);
    }

    /** Writes the source address and updates this header's checksum, not that of the transport. */
    public Ipv4 source(int address) {
        return replace(SOURCE, address);
    }

    /** Returns the destination address. */
    public int destination() {
        return i32(DESTINATION);
    }

    /** Writes the destination address and updates this header's checksum, not that of the transport. */
    public Ipv4 destination(int address) {
        return replace(DESTINATION, address);
    }

    private Ipv4 replace(int offset, int address) {
        put16(CHECKSUM, InternetChecksum.update32(u16(CHECKSUM), i32(offset), address));
        put32(offset, address);
        return this;
    }

    /** Swaps source and destination, which keeps all checksums valid. */
    public Ipv4 turn() {
        int source = source();
        put32(SOURCE, destination());
        put32(DESTINATION, source);
        return this;
    }
}
