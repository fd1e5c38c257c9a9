package io.guidepost.dns;

import io.guidepost.base.Addresses;
import io.guidepost.base.PrefixParser;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsWire;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Scheme, host and port of a URL, as far as records need them. Allocates nothing, but for addresses of IPv6. One thread's. */
final class UrlAuthority {
    private static final int SCHEME_BYTES_MAX = 32;
    private static final int HOST_BYTES_MAX = 253;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final int PORT_MAX = 0xffff;

    private final byte[] host = new byte[HOST_BYTES_MAX];
    private final PrefixParser addresses = new PrefixParser();
    private int hostBytes;
    private boolean secure;
    private boolean numeric;
    private int port;
    private long high;
    private long low;

    /** Reads a URL; returns false if it has no host, or one that is no domain name and no address. */
    boolean read(MemorySegment in, long url, int length) {
        numeric = false;
        int colon = 0;
        while (colon < length && colon < SCHEME_BYTES_MAX && in.get(DnsWire.BYTE, url + colon) != ':') {
            colon++;
        }
        if (colon + 3 > length || in.get(DnsWire.SHORT, url + colon + 1) != ('/' << 8 | '/')) {
            return false;
        }
        secure = is(in, url, colon, "https");
        port = secure ? HTTPS_PORT : is(in, url, colon, "http") ? HTTP_PORT : 0;
        int from = colon + 3;
        int to = from;
        while (to < length && "/?#".indexOf(in.get(DnsWire.BYTE, url + to)) < 0) {
            if (in.get(DnsWire.BYTE, url + to++) == '@') {
                from = to;
            }
        }
        return authority(in, url + from, to - from);
    }

    private static boolean is(MemorySegment in, long at, int length, String scheme) {
        if (length != scheme.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if ((in.get(DnsWire.BYTE, at + i) | 0x20) != scheme.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean authority(MemorySegment in, long at, int length) {
        boolean brackets = length > 0 && in.get(DnsWire.BYTE, at) == '[';
        int from = brackets ? 1 : 0;
        int to = from;
        while (to < length && in.get(DnsWire.BYTE, at + to) != (brackets ? ']' : ':')) {
            to++;
        }
        hostBytes = to - from;
        if (hostBytes < 1 || hostBytes > HOST_BYTES_MAX || brackets && to == length) {
            return false;
        }
        MemorySegment.copy(in, DnsWire.BYTE, at + from, host, 0, hostBytes);
        int digits = brackets ? to + 1 : to;
        if (digits < length && (in.get(DnsWire.BYTE, at + digits) != ':' || !port(in, at + digits + 1, length - digits - 1))) {
            return false;
        }
        return brackets || isDigit(host[hostBytes - 1]) ? address() : isName();
    }

    private static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }

    private boolean port(MemorySegment in, long at, int length) {
        int number = length == 0 ? port : 0;
        for (int i = 0; i < length; i++) {
            byte digit = in.get(DnsWire.BYTE, at + i);
            if (!isDigit(digit) || number > PORT_MAX / 10) {
                return false;
            }
            number = 10 * number + digit - '0';
        }
        port = number;
        return number <= PORT_MAX;
    }

    private boolean address() {
        for (int i = 0; i < hostBytes; i++) {
            // The parser says in words what is wrong, which costs more than to look first.
            if ("0123456789abcdefABCDEF:.".indexOf(host[i]) < 0) {
                return false;
            }
        }
        numeric = addresses.readAddress(host, 0, hostBytes).isEmpty();
        high = addresses.ipv6 ? addresses.high : Addresses.IPV4_HIGH;
        low = addresses.ipv6 ? addresses.low : Addresses.ipv4Low((int) (addresses.high >>> Integer.SIZE));
        return numeric;
    }

    /** Puts the host into lower case, and returns whether it is a domain name whose labels fit. */
    private boolean isName() {
        int label = 0;
        for (int i = 0; i < hostBytes; i++) {
            host[i] = host[i] >= 'A' && host[i] <= 'Z' ? (byte) (host[i] + 'a' - 'A') : host[i];
            boolean dot = host[i] == '.';
            if (dot && label == 0 || host[i] <= ' ' || host[i] > '~') {
                return false;
            }
            label = dot ? 0 : label + 1;
            if (label > DnsLimits.LABEL_BYTES_MAX) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the scheme is https. */
    boolean secure() {
        return secure;
    }

    /** Returns whether the host is an address. */
    boolean numeric() {
        return numeric;
    }

    long high() {
        return high;
    }

    long low() {
        return low;
    }

    /** Returns the port, that of the scheme if none is written; 0 if neither is known. */
    int port() {
        return port;
    }

    /** Returns the host's characters, as many as {@link #hostBytes}. */
    byte[] host() {
        return host;
    }

    int hostBytes() {
        return hostBytes;
    }

    /** Returns a hash of host and port that is not 0. */
    int hash() {
        int hash = port;
        for (int i = 0; i < hostBytes; i++) {
            hash = 31 * hash + host[i];
        }
        return hash | 1 << 31;
    }

    /** Returns whether host and port are those of another one. */
    boolean isSame(UrlAuthority other) {
        return port == other.port && Arrays.equals(host, 0, hostBytes, other.host, 0, other.hostBytes);
    }
}
