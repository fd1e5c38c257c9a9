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
public final class Icmp extends IcmpHeader<Icmp> {
    /** Bytes before data. */
    public static final int BYTES = 8;

    /** Type: echo reply. */
    public static final int ECHO_REPLY = 0;

    /** Type: destination unreachable; the code says why. */
    public static final int UNREACHABLE = 3;

    /** Type: another gateway is nearer. */
    public static final int REDIRECT = 5;

    /** Type: echo request. */
    public static final int ECHO = 8;

    /** Type: hop limit exceeded, or fragment reassembly timed out. */
    public static final int TIME_EXCEEDED = 11;

    /** Type: an invalid header field. */
    public static final int PARAMETER_PROBLEM = 12;

    /** Code of {@link #UNREACHABLE}: the host cannot be reached. */
    public static final int HOST_UNREACHABLE = 1;

    /** Code of {@link #UNREACHABLE}: no socket has this port. */
    public static final int PORT_UNREACHABLE = 3;

    /** Code of {@link #UNREACHABLE}: longer than the MTU with "don't fragment". */
    public static final int FRAGMENTATION_NEEDED = 4;

    @Override
    public boolean read(long address, int bytesLeft) {
        point(address, bytesLeft);
        return bytesLeft >= BYTES;
    }

    /** Returns the next hop's MTU of {@link #FRAGMENTATION_NEEDED}; 0 from old routers. */
    public int mtu() {
        return u16(6);
    }

    /** Returns whether a type is of error messages, which quote the beginning of a packet behind these eight bytes. */
    public static boolean isError(int type) {
        return type == UNREACHABLE || type == 4 || type == REDIRECT || type == TIME_EXCEEDED || type == PARAMETER_PROBLEM;
    }

    /** Returns whether the checksum over the message is right. */
    public boolean isChecksumRight(int messageBytes) {
        return InternetChecksum.of(address(), messageBytes) == 0;
    }

    /** Computes and writes the checksum over the message. */
    public Icmp fillChecksum(int messageBytes) {
        put16(CHECKSUM, 0);
        put16(CHECKSUM, InternetChecksum.of(address(), messageBytes));
        return this;
    }

    /** Turns an echo request into its reply, in place; the checksum is updated. */
    public Icmp reply() {
        retype(ECHO_REPLY);
        return this;
    }
}
