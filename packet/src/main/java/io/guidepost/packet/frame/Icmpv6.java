package io.guidepost.packet.frame;

/**
 * A message of ICMPv6 (RFC 4443) and of neighbour discovery (RFC 4861).
 *
 * <pre>
 *  0 type 8    1 code 8    2 checksum 16, of pseudo header and message
 *  4 echo: identifier 16, sequence 16; packet too big: MTU 32; neighbour advertisement: router, solicited, override
 *  8 echo: data; errors: the packet that caused it; neighbour solicitation, advertisement, redirect: target 128
 * 24 neighbour solicitation and advertisement: options
 * </pre>
 */
public final class Icmpv6 extends IcmpHeader<Icmpv6> {
    /** Bytes before data. */
    public static final int BYTES = 8;

    /** Bytes of a neighbour solicitation or advertisement without options. */
    public static final int NEIGHBOUR_BYTES = 24;

    /** Bytes of an option with an Ethernet address. */
    public static final int LINK_OPTION_BYTES = 8;

    /** Type: destination unreachable; the code says why. */
    public static final int UNREACHABLE = 1;

    /** Type: longer than a link's MTU. */
    public static final int PACKET_TOO_BIG = 2;

    /** Type: hop limit exceeded, or fragment reassembly timed out. */
    public static final int TIME_EXCEEDED = 3;

    /** Type: an invalid header field. */
    public static final int PARAMETER_PROBLEM = 4;

    /** Type: echo request. */
    public static final int ECHO = 128;

    /** Type: echo reply. */
    public static final int ECHO_REPLY = 129;

    /** Type: asks routers to advertise themselves. */
    public static final int ROUTER_SOLICITATION = 133;

    /** Type: advertises a router. */
    public static final int ROUTER_ADVERTISEMENT = 134;

    /** Type: who has the target address? */
    public static final int NEIGHBOUR_SOLICITATION = 135;

    /** Type: the sender has it. */
    public static final int NEIGHBOUR_ADVERTISEMENT = 136;

    /** Type: another hop is nearer. */
    public static final int REDIRECT = 137;

    /** Code of {@link #UNREACHABLE}: the address cannot be reached. */
    public static final int ADDRESS_UNREACHABLE = 3;

    /** Code of {@link #UNREACHABLE}: no socket has this port. */
    public static final int PORT_UNREACHABLE = 4;

    /** Option of neighbour discovery: Ethernet address of the sender. */
    public static final int SOURCE_LINK = 1;

    /** Option of neighbour discovery: Ethernet address of the target. */
    public static final int TARGET_LINK = 2;

    /** Option of neighbour discovery: a prefix of the link. */
    public static final int PREFIX = 3;

    /** Option of neighbour discovery: MTU of the link. */
    public static final int MTU = 5;

    /** Flag of an advertisement: from a router. */
    public static final int ROUTER = 0x8000_0000;

    /** Flag of an advertisement: it answers a solicitation. */
    public static final int SOLICITED = 0x4000_0000;

    /** Flag of an advertisement: replace the cached Ethernet address. */
    public static final int OVERRIDE = 0x2000_0000;

    private static final int TARGET = 8;

    @Override
    public boolean read(long address, int bytesLeft) {
        point(address, bytesLeft);
        return bytesLeft >= BYTES && bytesLeft >= bytes();
    }

    /**
     * Writes a neighbour solicitation or advertisement with one option, an Ethernet address; no checksum.
     *
     * @param flags of an advertisement, 0 of a solicitation
     * @return its bytes
     * @throws IllegalArgumentException if the room is shorter than that
     */
    public int writeNeighbour(int type, int flags, long targetHigh, long targetLow, int option, long mac) {
        int bytes = NEIGHBOUR_BYTES + LINK_OPTION_BYTES;
        if (bytesLeft() < bytes) {
            throw new IllegalArgumentException("a room of " + bytesLeft() + " bytes; the message needs " + bytes);
        }
        write(type, 0, flags);
        put64(TARGET, targetHigh);
        put64(TARGET + 8, targetLow);
        put16(NEIGHBOUR_BYTES, option << 8 | 1);
        putMac(NEIGHBOUR_BYTES + 2, mac);
        return bytes;
    }

    /** Returns the bytes before data or options, which depends on the type. */
    @Override
    public int bytes() {
        return switch (type()) {
            case ROUTER_ADVERTISEMENT -> 16;
            case NEIGHBOUR_SOLICITATION, NEIGHBOUR_ADVERTISEMENT -> NEIGHBOUR_BYTES;
            case REDIRECT -> 40;
            default -> BYTES;
        };
    }

    /** Returns the high half of the target of a solicitation, an advertisement or a redirect. */
    public long targetHigh() {
        return i64(TARGET);
    }

    /** Returns the low half of the target. */
    public long targetLow() {
        return i64(TARGET + 8);
    }

    /** Returns whether the checksum over pseudo header and message is right. */
    public boolean isChecksumRight(long pseudoSum, int messageBytes) {
        return InternetChecksum.fold(InternetChecksum.add(pseudoSum, address(), messageBytes)) == 0;
    }

    /** Computes and writes the checksum over pseudo header and message. */
    public Icmpv6 fillChecksum(long pseudoSum, int messageBytes) {
        put16(CHECKSUM, 0);
        put16(CHECKSUM, InternetChecksum.fold(InternetChecksum.add(pseudoSum, address(), messageBytes)));
        return this;
    }

    /** Turns an echo request into its reply, in place; the checksum is updated. */
    public Icmpv6 reply() {
        retype(ECHO_REPLY);
        return this;
    }
}
