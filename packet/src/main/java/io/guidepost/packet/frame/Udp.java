package io.guidepost.packet.frame;

/**
 * The header of UDP (RFC 768; over IPv6 RFC 8200 section 8.1).
 *
 * <pre>
 *  0 source port 16    2 destination port 16    4 length 16, of header and payload    6 checksum 16, 0 is none
 * </pre>
 */
public final class Udp extends HeaderView<Udp> {
    /** Bytes of the header. */
    public static final int BYTES = 8;

    /** Offset of the checksum. */
    public static final int CHECKSUM = 6;

    private static final int LENGTH = 4;

    @Override
    public boolean read(long address, int bytesLeft) {
        point(address, bytesLeft);
        return bytesLeft >= BYTES && length() >= BYTES && length() <= bytesLeft;
    }

    /** Writes a header without a checksum, which IPv4 allows and IPv6 does not. */
    public Udp write(int sourcePort, int destinationPort, int payloadBytes) {
        put64(0, (long) sourcePort << 48 | (destinationPort & 0xffffL) << 32 | (BYTES + payloadBytes & 0xffffL) << 16);
        return this;
    }

    @Override
    int bytesMin() {
        return BYTES;
    }

    /** Returns the source port. */
    public int sourcePort() {
        return u16(0);
    }

    /** Returns the destination port. */
    public int destinationPort() {
        return u16(2);
    }

    /** Swaps the ports, which keeps the checksum valid. */
    public Udp turn() {
        int ports = i32(0);
        put32(0, ports >>> 16 | ports << 16);
        return this;
    }

    /** Returns the bytes of header and payload. */
    public int length() {
        return u16(LENGTH);
    }

    /** Returns the checksum field; 0 means none. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Writes a checksum. */
    public Udp checksum(int checksum) {
        put16(CHECKSUM, checksum);
        return this;
    }

    /** Computes and writes the checksum of header and payload: never 0, which would mean none. */
    public Udp fillChecksum(long pseudoSum) {
        put16(CHECKSUM, 0);
        int computed = InternetChecksum.fold(InternetChecksum.add(pseudoSum, address(), length()));
        put16(CHECKSUM, computed == 0 ? 0xffff : computed);
        return this;
    }
}
