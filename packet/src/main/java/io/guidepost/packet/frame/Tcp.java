package io.guidepost.packet.frame;

/**
 * The header of TCP (RFC 9293 section 3.1).
 *
 * <pre>
 *  0 source port 16               2 destination port 16
 *  4 sequence number 32
 *  8 acknowledgment number 32
 * 12 data offset in words 4, reserved 4, flags 8      14 window 16
 * 16 checksum 16                 18 urgent pointer 16
 * 20 options, 0 to 40 bytes
 * </pre>
 */
public final class Tcp extends HeaderView<Tcp> {
    /** Bytes without options. */
    public static final int BYTES = 20;

    /** No more data from the sender. */
    public static final int FIN = 0x01;

    /** Synchronize sequence numbers. */
    public static final int SYN = 0x02;

    /** Reset the connection. */
    public static final int RST = 0x04;

    /** Push function. */
    public static final int PSH = 0x08;

    /** The acknowledgment number is valid. */
    public static final int ACK = 0x10;

    /** The urgent pointer is valid. */
    public static final int URG = 0x20;

    /** Offset of the checksum. */
    public static final int CHECKSUM = 16;

    private static final int SEQUENCE = 4;
    private static final int ACKNOWLEDGMENT = 8;
    private static final int OFFSET_AND_FLAGS = 12;
    private static final int WINDOW = 14;

    @Override
    public boolean read(long address, int bytesLeft) {
        point(address, bytesLeft);
        return bytesLeft >= BYTES && bytes() >= BYTES && bytes() <= bytesLeft;
    }

    /** Writes a header without options and without a checksum. */
    public Tcp write(int sourcePort, int destinationPort, int sequence, int acknowledgment, int flags, int window) {
        put32(0, sourcePort << 16 | destinationPort & 0xffff);
        put32(SEQUENCE, sequence);
        put32(ACKNOWLEDGMENT, acknowledgment);
        put32(OFFSET_AND_FLAGS, BYTES / 4 << 28 | (flags & 0xff) << 16 | window & 0xffff);
        put32(CHECKSUM, 0);
        return this;
    }

    @Override
    public int bytes() {
        return u8(OFFSET_AND_FLAGS) >>> 4 << 2;
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

    /** Returns the sequence number. */
    public int sequence() {
        return i32(SEQUENCE);
    }

    /** Returns the eight flags, such as {@link #FIN}. */
    public int flags() {
        return u8(OFFSET_AND_FLAGS + 1);
    }

    /** Returns whether all of these flags are set. */
    public boolean has(int flags) {
        return (flags() & flags) == flags;
    }

    /** Returns the window field, unscaled. */
    public int window() {
        return u16(WINDOW);
    }

    /** Returns the checksum field. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Computes and writes the checksum of header and data. */
    public Tcp fillChecksum(long pseudoSum, int segmentBytes) {
        put16(CHECKSUM, 0);
        put16(CHECKSUM, InternetChecksum.fold(InternetChecksum.add(pseudoSum, address(), segmentBytes)));
        return this;
    }
}
