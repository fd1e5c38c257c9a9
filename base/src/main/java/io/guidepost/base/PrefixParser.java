package io.guidepost.base;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;

/**
 * Parses one prefix or address in a byte array. The object is reused for every line of a table, so that IPv4 lines
 * allocate nothing; IPv6 lines, which are few, use the library. Not thread-safe.
 */
public final class PrefixParser {
    private static final String ADDRESS_EXPECTED = "write one such as 10.1.0.1 or 2001:db8::1";
    private static final String EXPECTED = "write address/length such as 10.1.0.0/16 or 2001:db8::/32";

    /** Whether the prefix is IPv6. */
    public boolean ipv6;

    /** First 64 bits of the base, left-aligned: an IPv4 address stands in the upper 32. Bits after the length are zero. */
    public long high;

    /** Last 64 bits of an IPv6 base; 0 for IPv4. */
    public long low;

    /** Bits of prefix: 0 to 32, or 0 to 128 for IPv6. */
    public int length;

    /** Parses a prefix; returns its fault, or an empty text. */
    public String read(byte[] bytes, int from, int to) {
        int slash = from;
        ipv6 = false;
        while (slash < to && bytes[slash] != '/') {
            ipv6 |= bytes[slash++] == ':';
        }
        if (slash == to) {
            return "'" + text(bytes, from, to) + "' has no /length: " + EXPECTED;
        }
        if (!(ipv6 ? ipv6(bytes, from, slash) : ipv4(bytes, from, slash))) {
            return "'" + text(bytes, from, slash) + "' is not an address: " + EXPECTED;
        }
        int max = ipv6 ? 128 : 32;
        length = number(bytes, slash + 1, to, max);
        if (length < 0) {
            return "'" + text(bytes, slash + 1, to) + "' is not a prefix length from 0 to " + max;
        }
        high &= Addresses.highMask(length);
        low &= Addresses.lowMask(length);
        return "";
    }

    /** Parses an address, which is a prefix of full length; returns its fault, or an empty text. */
    public String readAddress(byte[] bytes, int from, int to) {
        ipv6 = false;
        for (int i = from; i < to; i++) {
            ipv6 |= bytes[i] == ':';
        }
        length = ipv6 ? 128 : 32;
        return (ipv6 ? ipv6(bytes, from, to) : ipv4(bytes, from, to))
                ? ""
                : "'" + text(bytes, from, to) + "' is not an address: " + ADDRESS_EXPECTED;
    }

    /** Returns the prefix parsed last. */
    public Prefix prefix() {
        return ipv6 ? new Prefix(high, low, length) : Prefix.ofIpv4((int) (high >>> 32), length);
    }

    /** Returns the first address of the prefix parsed last. */
    public Address address() {
        return ipv6 ? new Address(high, low) : Address.ofIpv4((int) (high >>> 32));
    }

    private boolean ipv4(byte[] bytes, int from, int to) {
        long address = 0;
        int part = from;
        for (int i = 0; i < 4; i++) {
            int end = part;
            while (end < to && bytes[end] != '.') {
                end++;
            }
            // A leading zero makes a number octal to some readers (RFC 6943 section 3.1.1).
            int number = end - part > 1 && bytes[part] == '0' ? -1 : number(bytes, part, end, 255);
            if (number < 0 || (end == to) != (i == 3)) {
                return false;
            }
            address = address << 8 | number;
            part = end + 1;
        }
        high = address << 32;
        low = 0;
        return true;
    }

    private boolean ipv6(byte[] bytes, int from, int to) {
        byte[] address;
        try {
            address = InetAddress.ofLiteral(text(bytes, from, to)).getAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
        high = 0;
        low = 0;
        for (int i = 0; i < 8; i++) {
            high = high << 8 | address[i % address.length] & 0xff;
            low = low << 8 | address[(8 + i) % address.length] & 0xff;
        }
        return address.length == 16;
    }

    /** Returns a decimal number of up to three digits, or -1. */
    private static int number(byte[] bytes, int from, int to, int max) {
        if (from >= to || to - from > 3) {
            return -1;
        }
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number <= max ? number : -1;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
}
