package io.guidepost.base;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * IP addresses as 128 bits in two halves, IPv4 in its mapped form ({@code ::ffff:a.b.c.d}).
 *
 * <p>A link-local address ({@code fe80::/10}) is only valid on its link. The link's number (scope id) stands in the low
 * 32 bits of the high half, which RFC 4291 section 2.5.6 keeps at zero on the wire: so a response finds its link
 * through code that knows two halves and a port.
 */
public final class Addresses {
    /** High half of every IPv4 address in mapped form. */
    public static final long IPV4_HIGH = 0;

    private static final long IPV4_MARK = 0xffffL << 32;
    private static final long SCOPE_MASK = 0xffffffffL;

    private Addresses() {}

    /** Returns the high half of an address. */
    public static long high(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) {
            return 0;
        }
        long high = ByteBuffer.wrap(bytes).getLong();
        return isLinkLocal(high) && address instanceof Inet6Address six ? high | six.getScopeId() & SCOPE_MASK : high;
    }

    /** Returns the low half of an address. */
    public static long low(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4 ? ipv4Low(ByteBuffer.wrap(bytes).getInt()) : ByteBuffer.wrap(bytes).getLong(8);
    }

    /** Returns the low half of an IPv4 address; its high half is 0. */
    public static long ipv4Low(int address) {
        return IPV4_MARK | address & 0xffffffffL;
    }

    /** Returns the high half of the mask of a prefix of 0 to 128 bits; IPv4 prefix lengths count from 96. */
    public static long highMask(int bits) {
        return bits == 0 ? 0 : -1L << Long.SIZE - Math.min(bits, Long.SIZE);
    }

    /** Returns the low half of that mask. */
    public static long lowMask(int bits) {
        return bits <= Long.SIZE ? 0 : -1L << 2 * Long.SIZE - bits;
    }

    /** Returns whether two halves are an IPv4 address. */
    public static boolean isIpv4(long high, long low) {
        return high == IPV4_HIGH && low >>> 32 == 0xffffL;
    }

    /** Returns the address of two halves; for slow paths. */
    public static InetAddress toInetAddress(long high, long low) {
        try {
            if (isIpv4(high, low)) {
                return InetAddress.getByAddress(
                        ByteBuffer.allocate(4).putInt((int) low).array());
            }
            byte[] bytes = ByteBuffer.allocate(16)
                    .putLong(withoutScope(high))
                    .putLong(low)
                    .array();
            // Made as Inet6Address even for a mapped one: the other factory would turn that into IPv4.
            return scope(high) == 0
                    ? InetAddress.getByAddress(bytes)
                    : Inet6Address.getByAddress(null, bytes, scope(high));
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are always an address", e);
        }
    }

    /** Returns an IPv4 address of its 32 bits; for slow paths. */
    public static InetAddress ofIpv4(int address) {
        return toInetAddress(IPV4_HIGH, ipv4Low(address));
    }

    /** Returns whether the high half is that of a link-local address, {@code fe80::/10}. */
    public static boolean isLinkLocal(long high) {
        return high >>> 54 == 0xfe80L >>> 6;
    }

    /** Returns the scope id of a link-local address, else 0. */
    public static int scope(long high) {
        return isLinkLocal(high) ? (int) high : 0;
    }

    public static long withScope(long high, int scope) {
        return isLinkLocal(high) ? high & ~SCOPE_MASK | scope & SCOPE_MASK : high;
    }

    /** Returns the high half as it is on the wire, without the scope id. */
    public static long withoutScope(long high) {
        return isLinkLocal(high) ? high & ~SCOPE_MASK : high;
    }
}
