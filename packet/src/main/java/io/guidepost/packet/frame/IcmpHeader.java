package io.guidepost.packet.frame;

/** The first eight bytes, which messages of ICMP and ICMPv6 have alike. */
abstract sealed class IcmpHeader<V extends IcmpHeader<V>> extends HeaderView<V> permits Icmp, Icmpv6 {
    static final int CHECKSUM = 2;
    private static final int BYTES_MIN = 8;

    @Override
    final int bytesMin() {
        return BYTES_MIN;
    }

    /** Writes the first eight bytes, without a checksum. */
    @SuppressWarnings("unchecked") // Each view extends IcmpHeader of itself.
    public final V write(int type, int code, int rest) {
        put64(0, (long) type << 56 | (code & 0xffL) << 48 | rest & 0xffff_ffffL);
        return (V) this;
    }

    /** Returns the type. */
    public final int type() {
        return u8(0);
    }

    /** Returns the code, by type. */
    public final int code() {
        return u8(1);
    }

    /** Returns the checksum field. */
    public final int checksum() {
        return u16(CHECKSUM);
    }

    /** Returns an echo's identifier. */
    public final int identifier() {
        return u16(4);
    }

    /** Returns an echo's sequence number. */
    public final int sequence() {
        return u16(6);
    }

    /** Turns an echo request into a message of the reply's type, in place; the checksum is updated. */
    final void retype(int reply) {
        int before = u16(0);
        put8(0, reply);
        put16(CHECKSUM, InternetChecksum.update16(checksum(), before, u16(0)));
    }
}
