package io.guidepost.packet.frame;

/**
 * A message of ICMP (RFC 792; path MTU: RFC 1191).
 *
 * <pre>
 *  0 type 8    1 code 8    2 checksum 16, of all of the message
 *  4 echo: identifier 16, sequence 16; fragmentation needed: 0, MTU 16; redirect: gateway 32
 *  8 echo: data; errors: IP header and first bytes of the packet that caused it
 * </pre>
 */
public final class Icmp extends HeaderView {
    /** Bytes before data. */
    public static final int BYTES = 8;

    /** Type: answer to an echo. */
    public static final int ECHO_REPLY = 0;

    /** Type: the packet did not arrive; the code says why. */
    public static final int UNREACHABLE = 3;

    /** Type: another gateway is nearer. */
    public static final int REDIRECT = 5;

    /** Type: please answer with the same data. */
    public static final int ECHO = 8;

    /** Type: too many hops, or fragments that did not come. */
    public static final int TIME_EXCEEDED = 11;

    /** Type: a field of the header cannot be. */
    public static final int PARAMETER_PROBLEM = 12;

    /** Code of {@link #UNREACHABLE}: no process has this port. */
    public static final int PORT_UNREACHABLE = 3;

    /** Code of {@link #UNREACHABLE}: too long for a link, and must not be fragmented. */
    public static final int FRAGMENTATION_NEEDED = 4;

    private static final int CHECKSUM = 2;

    @Override
    public boolean read(long address, int bytesLeft) {
        point(address, bytesLeft);
        return bytesLeft >= BYTES;
    }

    /** Points it at room for a message. */
    public Icmp wrap(long room, int left) {
        at(room, left);
        return this;
    }

    /** Writes the first eight bytes, without a checksum. */
    public Icmp write(int type, int code, int rest) {
        put64(0, (long) type << 56 | (code & 0xffL) << 48 | rest & 0xffff_ffffL);
        return this;
    }

    @Override
    public int bytes() {
        return BYTES;
    }

    @Override
    int bytesMin() {
        return BYTES;
    }

    /** Returns the type. */
    public int type() {
        return u8(0);
    }

    /** Returns the code, by type. */
    public int code() {
        return u8(1);
    }

    /** Returns the checksum as it stands there. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Of an echo: whose it is. */
    public int identifier() {
        return u16(4);
    }

    /** Of an echo: its number. */
    public int sequence() {
        return u16(6);
    }

    /** Of {@link #FRAGMENTATION_NEEDED}: bytes of the longest packet that fits; 0 from old routers. */
    public int mtu() {
        return u16(6);
    }

    /** Of a redirect: the gateway to use. */
    public int gateway() {
        return i32(4);
    }

    /** Returns whether it is about a packet, the beginning of which is behind these eight bytes. */
    public boolean isError() {
        int type = type();
        return type == UNREACHABLE || type == 4 || type == REDIRECT || type == TIME_EXCEEDED || type == PARAMETER_PROBLEM;
    }

    /** Returns whether the checksum over a message of so many bytes is right. */
    public boolean isChecksumRight(int messageBytes) {
        return InternetChecksum.of(address(), messageBytes) == 0;
    }

    /** Computes the checksum over a message of so many bytes, and writes it. */
    public Icmp fillChecksum(int messageBytes) {
        put16(CHECKSUM, 0);
        put16(CHECKSUM, InternetChecksum.of(address(), messageBytes));
        return this;
    }

    /** Makes an echo the reply to it, in place; the checksum follows. */
    public Icmp reply() {
        int before = u16(0);
        put8(0, ECHO_REPLY);
        put16(CHECKSUM, InternetChecksum.update16(checksum(), before, u16(0)));
        return this;
    }
}
