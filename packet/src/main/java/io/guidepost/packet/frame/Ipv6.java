package io.guidepost.packet.frame;

/**
 * The IPv6 header (RFC 8200). Addresses are two halves of 64 bits.
 *
 * <pre>
 *  0 version 4, traffic class 8, flow label 20
 *  4 payload length 16            6 next header 8     7 hop limit 8
 *  8 source 128
 * 24 destination 128
 * </pre>
 */
public final class Ipv6 extends HeaderView<Ipv6> {
    /** Bytes of the header. */
    public static final int BYTES = 40;

    /** Hop limit of packets made here. */
    public static final int HOP_LIMIT = 64;

    private static final int PAYLOAD = 4;
    private static final int NEXT = 6;
    private static final int HOPS = 7;
    private static final int SOURCE = 8;
    private static final int DESTINATION = 24;

    @Override
    public boolean read(long address, int bytesLeft) {
        point(address, bytesLeft);
        return bytesLeft >= BYTES && u8(0) >>> 4 == 6 && payloadBytes() <= bytesLeft - BYTES;
    }

    /** Writes a header. */
    public Ipv6 write(
            int nextHeader, long sourceHigh, long sourceLow, long destinationHigh, long destinationLow, int payloadBytes) {
        put32(0, 0x6000_0000);
        put32(PAYLOAD, payloadBytes << 16 | (nextHeader & 0xff) << 8 | HOP_LIMIT);
        put64(SOURCE, sourceHigh);
        put64(SOURCE + 8, sourceLow);
        put64(DESTINATION, destinationHigh);
        put64(DESTINATION + 8, destinationLow);
        return this;
    }

    @Override
    int bytesMin() {
        return BYTES;
    }

    /** Returns the traffic class, 0 to 255: DSCP in the upper 6 bits, ECN in the lower 2. */
    public int trafficClass() {
        return i32(0) >>> 20 & 0xff;
    }

    /** Returns the flow label, 20 bits. */
    public int flowLabel() {
        return i32(0) & 0xf_ffff;
    }

    /** Writes traffic class and flow label. */
    public Ipv6 flow(int trafficClass, int label) {
        put32(0, 0x6000_0000 | (trafficClass & 0xff) << 20 | label & 0xf_ffff);
        return this;
    }

    /** Returns the bytes behind this header, extension headers included. */
    public int payloadBytes() {
        return u16(PAYLOAD);
    }

    /** Returns the next header: an extension header, or the transport. */
    public int nextHeader() {
        return u8(NEXT);
    }

    /** Returns the remaining hops. */
    public int hopLimit() {
        return u8(HOPS);
    }

    /** Writes the remaining hops. */
    public Ipv6 hopLimit(int hops) {
        put8(HOPS, hops);
        return this;
    }

    /** Decrements the hop limit; false, and nothing changed, if the packet may not be forwarded. */
    public boolean hop() {
        int before = hopLimit();
        if (before < 2) {
            return false;
        }
        hopLimit(before - 1);
        return true;
    }

    /** Returns the high half of the source address. */
    public long sourceHigh() {
        return i64(SOURCE);
    }

    /** Returns the low half of the source address. */
    public long sourceLow() {
        return i64(SOURCE + 8);
    }

    /** Writes the source address; checksums are not updated. */
    public Ipv6 source(long high, long low) {
        put64(SOURCE, high);
        put64(SOURCE + 8, low);
        return this;
    }

    /** Returns the high half of the destination address. */
    public long destinationHigh() {
        return i64(DESTINATION);
    }

    /** Returns the low half of the destination address. */
    public long destinationLow() {
        return i64(DESTINATION + 8);
    }

    /** Writes the destination address; checksums are not updated. */
    public Ipv6 destination(long high, long low) {
        put64(DESTINATION, high);
        put64(DESTINATION + 8, low);
        return this;
    }

    /** Swaps source and destination, which keeps checksums valid unless there is a routing header. */
    public Ipv6 turn() {
        long high = sourceHigh();
        long low = sourceLow();
        return source(destinationHigh(), destinationLow()).destination(high, low);
    }

    /**
     * Returns the sum of the pseudo header for the checksum of the transport.
     *
     * @param protocol of the transport
     * @param bytes of the transport, without extension headers
     */
    public long pseudoSum(int protocol, int bytes) {
        return InternetChecksum.pseudoIpv6(
                sourceHigh(), sourceLow(), destinationHigh(), destinationLow(), protocol, bytes);
    }
}
