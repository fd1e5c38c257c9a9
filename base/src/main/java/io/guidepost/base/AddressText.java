package io.guidepost.base;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * The canonical text of IP addresses: IPv4 in dotted form; IPv6 in lower case, without leading zeros, with {@code ::} for the first
 * longest run of two or more zero groups (RFC 5952 section 4). The library of Java knows no such form. Every text that Guidepost
 * makes of an address is made here.
 */
public final class AddressText {
    /** The longest text that {@link #ipv4(int, byte[], int)} and {@link #ipv6(long, long, byte[], int)} write. */
    public static final int BYTES_MAX = 39;

    private static final int GROUPS = 8;

    private AddressText() {}

    /** Returns the text of an address of two halves; with its scope where it is link-local. */
    public static String of(long high, long low) {
        return of(Addresses.toInetAddress(high, low));
    }

    /** Returns the text of an address; with its scope where it has one, {@code fe80::1%eth0}. */
    public static String of(InetAddress address) {
        if (address instanceof Inet4Address) {
            return address.getHostAddress();
        }
        String host = address.getHostAddress();
        int scope = host.indexOf('%');
        return ipv6(address.getAddress()) + (scope < 0 ? "" : host.substring(scope));
    }

    /** Returns the text of an address and a port, with brackets around IPv6: {@code [2001:db8::1]:5001}. */
    public static String of(InetSocketAddress address) {
        String host = address.isUnresolved() ? address.getHostString() : of(address.getAddress());
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    /** Returns the text of the 16 bytes of an IPv6 address; a mapped IPv4 address stays one of IPv6. */
    public static String ipv6(byte[] bytes) {
        return ipv6(Memory.longAt(bytes, 0), Memory.longAt(bytes, 8));
    }

    /** Returns the text of an IPv4 address. */
    public static String ipv4(int address) {
        byte[] text = new byte[BYTES_MAX];
        return new String(text, 0, ipv4(address, text, 0), StandardCharsets.ISO_8859_1);
    }

    /** Returns the text of two halves as IPv6; a mapped IPv4 address stays one of IPv6. */
    public static String ipv6(long high, long low) {
        byte[] text = new byte[BYTES_MAX];
        return new String(text, 0, ipv6(high, low, text, 0), StandardCharsets.ISO_8859_1);
    }

    /**
     * Writes an IPv4 address; allocates nothing.
     *
     * @param out has room for {@link #BYTES_MAX} bytes from there
     * @return the end of the text
     */
    public static int ipv4(int address, byte[] out, int at) {
        int end = at;
        for (int shift = 24; shift >= 0; shift -= 8) {
            int part = address >>> shift & 0xff;
            if (part > 99) {
                out[end++] = (byte) ('0' + part / 100);
            }
            if (part > 9) {
                out[end++] = (byte) ('0' + part / 10 % 10);
            }
            out[end++] = (byte) ('0' + part % 10);
            if (shift > 0) {
                out[end++] = '.';
            }
        }
        return end;
    }

    /**
     * Writes an IPv6 address; allocates nothing.
     *
     * @param out has room for {@link #BYTES_MAX} bytes from there
     * @return the end of the text
     */
    public static int ipv6(long high, long low, byte[] out, int at) {
        int gap = -1;
        int gapGroups = 1;
        for (int i = 0; i < GROUPS; i++) {
            int after = i;
            while (after < GROUPS && group(high, low, after) == 0) {
                after++;
            }
            if (after - i > gapGroups) {
                gap = i;
                gapGroups = after - i;
            }
        }
        int end = at;
        for (int i = 0; i < GROUPS; i++) {
            if (i == gap) {
                out[end++] = ':';
                out[end++] = ':';
                i += gapGroups - 1;
                continue;
            }
            if (i > 0 && i != gap + gapGroups) {
                out[end++] = ':';
            }
            int group = group(high, low, i);
            for (int shift = group > 0xfff ? 12 : group > 0xff ? 8 : group > 0xf ? 4 : 0; shift >= 0; shift -= 4) {
                out[end++] = (byte) Character.forDigit(group >>> shift & 15, 16);
            }
        }
        return end;
    }

    private static int group(long high, long low, int at) {
        return (int) ((at < 4 ? high : low) >>> 48 - 16 * (at & 3)) & 0xffff;
    }
}
