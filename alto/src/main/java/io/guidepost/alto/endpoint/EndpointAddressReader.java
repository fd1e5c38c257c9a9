package io.guidepost.alto.endpoint;

import io.guidepost.base.Addresses;

/**
 * Parses typed addresses in a byte array without allocating. It refuses rare forms, such as dotted parts in an IPv6
 * address; the caller then uses the general parser. Not thread-safe.
 */
final class EndpointAddressReader {
    private static final int TYPE_LENGTH = 5;
    private static final int GROUPS = 8;

    private long high;
    private long low;
    private int begun;

    /** Returns the first 64 bits of the parsed address, IPv4 in its mapped form. */
    long high() {
        return high;
    }

    /** Returns the last 64 bits of the parsed address. */
    long low() {
        return low;
    }

    /** Returns the offset of its first byte. */
    int begun() {
        return begun;
    }

    /** Parses an address and returns the offset of its end, or -1 if it is invalid or of a rare form. */
    int read(byte[] bytes, int from) {
        begun = from;
        if (bytes.length - from < TYPE_LENGTH + 2 || bytes[from] != 'i' || bytes[from + 1] != 'p' || bytes[from + 2] != 'v'
                || bytes[from + 4] != ':') {
            return -1;
        }
        return switch (bytes[from + 3]) {
            case '4' -> ipv4(bytes, from + TYPE_LENGTH);
            case '6' -> ipv6(bytes, from + TYPE_LENGTH);
            default -> -1;
        };
    }

    private int ipv4(byte[] bytes, int from) {
        int at = from;
        int address = 0;
        for (int part = 0; part < 4; part++) {
            if (part > 0 && (at == bytes.length || bytes[at++] != '.')) {
                return -1;
            }
            int number = 0;
            int first = at;
            while (at < bytes.length && bytes[at] >= '0' && bytes[at] <= '9' && at - first < 3) {
                number = 10 * number + bytes[at++] - '0';
            }
            if (at == first || number > 255 || at - first > 1 && bytes[first] == '0') {
                return -1;
            }
            address = address << 8 | number;
        }
        high = Addresses.IPV4_HIGH;
        low = Addresses.ipv4Low(address);
        return at;
    }

    private int ipv6(byte[] bytes, int from) {
        int at = from;
        long before = 0;
        long beforeLow = 0;
        int groups = 0;
        int gap = -1;
        if (bytes[at] == ':') {
            if (bytes[at + 1] != ':') {
                return -1;
            }
            gap = 0;
            at += 2;
        }
        while (at < bytes.length && hex(bytes[at]) >= 0) {
            int first = at;
            int group = 0;
            while (at < bytes.length && hex(bytes[at]) >= 0) {
                group = group << 4 | hex(bytes[at++]);
                if (at - first > 4) {
                    return -1;
                }
            }
            if (groups++ == GROUPS) {
                return -1;
            }
            before = before << 16 | beforeLow >>> 48;
            beforeLow = beforeLow << 16 | group;
            if (at == bytes.length || bytes[at] != ':') {
                break;
            }
            at++;
            if (at < bytes.length && bytes[at] == ':') {
                if (gap >= 0) {
                    return -1;
                }
                gap = groups;
                at++;
            } else if (at == bytes.length || hex(bytes[at]) < 0) {
                return -1;
            }
        }
        if (gap < 0 ? groups != GROUPS : groups >= GROUPS) {
            return -1;
        }
        spread(before, beforeLow, groups, gap < 0 ? groups : gap);
        // IPv4-mapped and dotted IPv6 addresses are rare, and left to the general parser.
        return Addresses.isIpv4(high, low) || at < bytes.length && bytes[at] == '.' ? -1 : at;
    }

    /** Inserts the zero groups of {@code ::}: {@code first} groups stay in front. */
    private void spread(long groupsHigh, long groupsLow, int groups, int first) {
        int behind = groups - first;
        // The parsed groups are right-aligned; those in front of the gap move to the left end.
        long frontHigh = groupsHigh;
        long frontLow = groupsLow;
        for (int i = 0; i < behind; i++) {
            frontLow = frontLow >>> 16 | frontHigh << 48;
            frontHigh >>>= 16;
        }
        for (int i = first; i < GROUPS; i++) {
            frontHigh = frontHigh << 16 | frontLow >>> 48;
            frontLow <<= 16;
        }
        long behindHigh = behind >= 8 ? groupsHigh : behind <= 4 ? 0 : groupsHigh & (1L << 16 * (behind - 4)) - 1;
        long behindLow = behind >= 4 ? groupsLow : groupsLow & (1L << 16 * behind) - 1;
        high = frontHigh | behindHigh;
        low = frontLow | behindLow;
    }

    private static int hex(byte digit) {
        return digit >= '0' && digit <= '9'
                ? digit - '0'
                : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
    }
}
