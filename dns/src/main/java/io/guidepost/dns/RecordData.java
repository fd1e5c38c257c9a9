package io.guidepost.dns;

import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Locator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * The data of the records that a place has, one method to measure and one to write for each type. All but TXT allocate nothing.
 *
 * <pre>
 *  A      address 32                        AAAA   address 128
 *  SRV    priority 16, weight 16, port 16, target              (RFC 2782)
 *  URI    priority 16, weight 16, URL                          (RFC 7553)
 *  HTTPS  priority 16, target, parameters by key 16, length 16: 3 port 16, 4 hint 32, 6 hint 128   (RFC 9460)
 *  TXT    strings, each a length 8 and bytes: the locator as the command get shows it
 * </pre>
 *
 * A target is ip4- or ip6- and digits below the name, see {@link OwnerName}; it is not compressed, as RFC 2782 and RFC 9460 say.
 */
final class RecordData {
    /** There is no record of the type for the place. */
    static final int NONE = -1;

    private static final int SRV_HEAD_BYTES = 6;
    private static final int URI_HEAD_BYTES = 4;
    private static final int WEIGHT = 1;
    private static final int PARAMETER_HEAD_BYTES = 4;
    private static final int PORT_PARAMETER = 3;
    private static final int IPV4_PARAMETER = 4;
    private static final int IPV6_PARAMETER = 6;
    private static final int HTTPS_PORT = 443;
    private static final int IPV4_LABEL_BYTES = 1 + 4 + 2 * Integer.BYTES;
    private static final int IPV6_LABEL_BYTES = 1 + 4 + 4 * Long.BYTES;

    private RecordData() {}

    /**
     * Returns the bytes of the data of a place's record, or {@link #NONE}.
     *
     * @param nameBytes of the name on the wire, whose places these are
     */
    static int bytes(int type, PlaceList places, int place, int nameBytes) {
        return switch (type) {
            case DnsWire.A -> places.isIpv4(place) ? Integer.BYTES : NONE;
            case DnsWire.AAAA -> places.isIpv6(place) ? 2 * Long.BYTES : NONE;
            case DnsWire.SRV -> places.port(place) == 0 ? NONE : SRV_HEAD_BYTES + labelBytes(places, place) + nameBytes;
            case DnsWire.URI -> places.isUrl(place) ? URI_HEAD_BYTES + places.dataBytes(place) : NONE;
            case DnsWire.HTTPS -> {
                UrlAuthority url = places.https(place);
                yield url == null ? NONE : Short.BYTES + targetBytes(url) + parameterBytes(places, place, url);
            }
            case DnsWire.TXT -> {
                int length = text(places, place).length;
                yield length + (length + DnsLimits.STRING_BYTES_MAX - 1) / DnsLimits.STRING_BYTES_MAX;
            }
            default -> NONE;
        };
    }

    /** Writes the data of a place's record, whose bytes are known; the name has its bytes at an offset of a segment. */
    static void write(int type, PlaceList places, int place, MemorySegment name, long nameAt, int nameBytes, MemorySegment out, long at) {
        switch (type) {
            case DnsWire.A -> out.set(DnsWire.INT, at, (int) places.low(place));
            case DnsWire.AAAA -> {
                out.set(DnsWire.LONG, at, places.high(place));
                out.set(DnsWire.LONG, at + Long.BYTES, places.low(place));
            }
            case DnsWire.SRV -> {
                heading(places, place, out, at);
                out.set(DnsWire.SHORT, at + 4, (short) places.port(place));
                long target = at + SRV_HEAD_BYTES;
                label(places, place, out, target);
                MemorySegment.copy(name, nameAt, out, target + labelBytes(places, place), nameBytes);
            }
            case DnsWire.URI -> {
                heading(places, place, out, at);
                MemorySegment.copy(places.segment(place), places.data(place), out, at + URI_HEAD_BYTES, places.dataBytes(place));
            }
            case DnsWire.HTTPS -> https(places, place, out, at);
            case DnsWire.TXT -> strings(text(places, place), out, at);
            default -> throw new IllegalArgumentException("type " + type + " has no data");
        }
    }

    private static void heading(PlaceList places, int place, MemorySegment out, long at) {
        out.set(DnsWire.SHORT, at, (short) places.priority(place));
        out.set(DnsWire.SHORT, at + Short.BYTES, (short) WEIGHT);
    }

    /** Returns where the target stands in the data of a record of type SRV. */
    static int target() {
        return SRV_HEAD_BYTES;
    }

    /** Returns the bytes of the label of a place. */
    static int labelBytes(PlaceList places, int place) {
        return places.isIpv4(place) ? IPV4_LABEL_BYTES : IPV6_LABEL_BYTES;
    }

    /** Writes the label of a place. */
    static void label(PlaceList places, int place, MemorySegment out, long at) {
        boolean ipv4 = places.isIpv4(place);
        out.set(DnsWire.BYTE, at, (byte) (labelBytes(places, place) - 1));
        out.set(DnsWire.INT, at + 1, 'i' << 24 | 'p' << 16 | (ipv4 ? '4' : '6') << 8 | '-');
        long digits = at + 1 + Integer.BYTES;
        if (!ipv4) {
            digits(places.high(place), Long.BYTES, out, digits);
            digits += 2 * Long.BYTES;
        }
        digits(places.low(place), ipv4 ? Integer.BYTES : Long.BYTES, out, digits);
    }

    private static void digits(long number, int bytes, MemorySegment out, long at) {
        for (int i = 0; i < 2 * bytes; i++) {
            int digit = (int) (number >>> 4 * (2 * bytes - 1 - i)) & 0xf;
            out.set(DnsWire.BYTE, at + i, (byte) (digit < 10 ? '0' + digit : 'a' + digit - 10));
        }
    }

    private static int targetBytes(UrlAuthority url) {
        boolean dot = url.hostBytes() > 0 && url.host()[url.hostBytes() - 1] == '.';
        return url.numeric() ? 1 : url.hostBytes() + (dot ? 1 : 2);
    }

    private static int parameterBytes(PlaceList places, int place, UrlAuthority url) {
        int bytes = url.port() == HTTPS_PORT ? 0 : PARAMETER_HEAD_BYTES + Short.BYTES;
        if (places.isIpv4(place)) {
            return bytes + PARAMETER_HEAD_BYTES + Integer.BYTES;
        }
        return places.isIpv6(place) ? bytes + PARAMETER_HEAD_BYTES + 2 * Long.BYTES : bytes;
    }

    /** Writes a service: its host, or the name itself, where the host is an address, which is then a hint. */
    private static void https(PlaceList places, int place, MemorySegment out, long from) {
        UrlAuthority url = places.https(place);
        if (url == null) {
            throw new IllegalArgumentException("the place is no URL of https");
        }
        // Priority 0 would be an alias.
        out.set(DnsWire.SHORT, from, (short) Math.min(places.priority(place) + 1, Character.MAX_VALUE));
        long at = target(url, out, from + Short.BYTES);
        if (url.port() != HTTPS_PORT) {
            out.set(DnsWire.INT, at, PORT_PARAMETER << Short.SIZE | Short.BYTES);
            out.set(DnsWire.SHORT, at + PARAMETER_HEAD_BYTES, (short) url.port());
            at += PARAMETER_HEAD_BYTES + Short.BYTES;
        }
        if (places.isIpv4(place)) {
            out.set(DnsWire.INT, at, IPV4_PARAMETER << Short.SIZE | Integer.BYTES);
            out.set(DnsWire.INT, at + PARAMETER_HEAD_BYTES, (int) places.low(place));
        } else if (places.isIpv6(place)) {
            out.set(DnsWire.INT, at, IPV6_PARAMETER << Short.SIZE | 2 * Long.BYTES);
            out.set(DnsWire.LONG, at + PARAMETER_HEAD_BYTES, places.high(place));
            out.set(DnsWire.LONG, at + PARAMETER_HEAD_BYTES + Long.BYTES, places.low(place));
        }
    }

    private static long target(UrlAuthority url, MemorySegment out, long from) {
        long at = from;
        if (!url.numeric()) {
            int start = 0;
            for (int i = 0; i <= url.hostBytes(); i++) {
                if (i == url.hostBytes() || url.host()[i] == '.') {
                    if (i > start) {
                        out.set(DnsWire.BYTE, at, (byte) (i - start));
                        MemorySegment.copy(url.host(), start, out, DnsWire.BYTE, at + 1, i - start);
                        at += 1 + i - start;
                    }
                    start = i + 1;
                }
            }
        }
        out.set(DnsWire.BYTE, at, (byte) 0);
        return at + 1;
    }

    private static byte[] text(PlaceList places, int place) {
        byte[] data = places.segment(place).asSlice(places.data(place), places.dataBytes(place)).toArray(ValueLayout.JAVA_BYTE);
        return new Locator(places.type(place), data).toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void strings(byte[] text, MemorySegment out, long from) {
        long at = from;
        for (int done = 0; done < text.length; done += DnsLimits.STRING_BYTES_MAX) {
            int length = Math.min(DnsLimits.STRING_BYTES_MAX, text.length - done);
            out.set(DnsWire.BYTE, at, (byte) length);
            MemorySegment.copy(text, done, out, DnsWire.BYTE, at + 1, length);
            at += 1 + length;
        }
    }
}
