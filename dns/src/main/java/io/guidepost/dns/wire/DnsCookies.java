package io.guidepost.dns.wire;

import io.guidepost.base.Addresses;
import java.lang.foreign.MemorySegment;

/**
 * Cookies of the server (RFC 7873, RFC 9018): a client that shows one has received what was sent to its address. Allocates nothing.
 *
 * <pre>
 *  client's part 64 | version 8 = 1 | 0 0 0 | time 32, seconds since 1970 | hash 64, SipHash-2-4 over all before and the address
 * </pre>
 */
public final class DnsCookies {
    /** Bytes of a whole cookie. */
    public static final int BYTES = 24;

    private static final int VERSION = 1 << 24;
    private static final long IPV4_INPUT_BYTES = 20;
    private static final long IPV6_INPUT_BYTES = 32;
    private static final int SIP_ROUNDS = 2;
    private static final int SIP_LAST_ROUNDS = 4;

    private final long firstSecret;
    private final long secondSecret;
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    /**
     * Creates the cookies of a secret, which all doors of a server share.
     *
     * @param firstSecret its first eight bytes, little-endian
     */
    public DnsCookies(long firstSecret, long secondSecret) {
        this.firstSecret = firstSecret;
        this.secondSecret = secondSecret;
    }

    /** Returns whether a cookie was made for an address not too long ago. */
    public boolean isOurs(MemorySegment in, long cookie, int bytes, long high, long low, long nowMillis) {
        if (bytes != BYTES || in.get(DnsWire.INT, cookie + 8) != VERSION) {
            return false;
        }
        int time = in.get(DnsWire.INT, cookie + 12);
        int age = (int) (nowMillis / 1000) - time;
        return age <= DnsLimits.COOKIE_SECONDS_MAX
                && age >= -DnsLimits.COOKIE_SECONDS_EARLY
                && in.get(DnsWire.LONG, cookie + 16) == hash(in.get(DnsWire.LONG, cookie), time, high, low);
    }

    /** Writes a cookie of {@link #BYTES} for a client's part. */
    public void write(long client, long high, long low, long nowMillis, MemorySegment out, long at) {
        int time = (int) (nowMillis / 1000);
        out.set(DnsWire.LONG, at, client);
        out.set(DnsWire.INT, at + 8, VERSION);
        out.set(DnsWire.INT, at + 12, time);
        out.set(DnsWire.LONG, at + 16, hash(client, time, high, low));
    }

    /** Words are little-endian there; an address of IPv4 has four bytes. */
    private long hash(long client, int time, long high, long low) {
        v0 = firstSecret ^ 0x736f6d6570736575L;
        v1 = secondSecret ^ 0x646f72616e646f6dL;
        v2 = firstSecret ^ 0x6c7967656e657261L;
        v3 = secondSecret ^ 0x7465646279746573L;
        word(Long.reverseBytes(client));
        word(Long.reverseBytes((long) VERSION << Integer.SIZE | time & 0xffff_ffffL));
        if (Addresses.isIpv4(high, low)) {
            word(Integer.reverseBytes((int) low) & 0xffff_ffffL | IPV4_INPUT_BYTES << 56);
        } else {
            word(Long.reverseBytes(high));
            word(Long.reverseBytes(low));
            word(IPV6_INPUT_BYTES << 56);
        }
        v2 ^= 0xff;
        rounds(SIP_LAST_ROUNDS);
        return Long.reverseBytes(v0 ^ v1 ^ v2 ^ v3);
    }

    private void word(long word) {
        v3 ^= word;
        rounds(SIP_ROUNDS);
        v0 ^= word;
    }

    private void rounds(int times) {
        for (int i = 0; i < times; i++) {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
