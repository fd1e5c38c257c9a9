package io.guidepost.dns;

import io.guidepost.dns.wire.DnsCookies;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsQueryFlyweight;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Writes the OPT record of responses: what the client asked for of client subnet (RFC 7871), cookie (RFC 7873) and NSID (RFC 5001).
 * Allocates nothing; belongs to one thread. See {@link DnsWire} for the layout.
 */
final class EdnsWriter {
    private static final int SUBNET_HEAD_BYTES = 4;
    private static final int COOKIE_BYTES = DnsWire.OPTION_HEAD_BYTES + DnsCookies.BYTES;

    private final DnsCookies cookies;
    private byte[] nsid = {};
    private boolean withNsid;

    EdnsWriter(DnsCookies cookies) {
        this.cookies = cookies;
    }

    void follow(DnsSettings settings) {
        nsid = settings.nsid().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns whether a request's cookie proves its address. */
    boolean isProven(DnsQueryFlyweight query, Exchange exchange) {
        return query.cookieBytes() > DnsQueryFlyweight.CLIENT_COOKIE_BYTES
                && cookies.isOurs(
                        query.segment(),
                        query.cookie(),
                        query.cookieBytes(),
                        exchange.peerHigh(),
                        exchange.peerLow(),
                        exchange.nowMillis());
    }

    /** Returns the bytes of the record; the server's name is left out where a response has no room for it. */
    int bytes(DnsQueryFlyweight query, int room) {
        int bytes = DnsWire.OPT_BYTES + subnetBytes(query) + (query.cookieBytes() > 0 ? COOKIE_BYTES : 0);
        int nsidBytes = DnsWire.OPTION_HEAD_BYTES + nsid.length;
        withNsid = query.wantsNsid() && bytes + nsidBytes <= room;
        return withNsid ? bytes + nsidBytes : bytes;
    }

    private static int subnetBytes(DnsQueryFlyweight query) {
        return query.hasSubnet()
                ? DnsWire.OPTION_HEAD_BYTES + SUBNET_HEAD_BYTES + (query.subnetBits() + Byte.SIZE - 1) / Byte.SIZE
                : 0;
    }

    /**
     * Writes the record, of as many bytes as {@link #bytes} has said last.
     *
     * @param bytes of the record
     * @param rcode all bits of it
     * @param ranked whether the response holds for the client subnet alone
     */
    void write(DnsQueryFlyweight query, Exchange exchange, int bytes, int rcode, boolean ranked, MemorySegment out, long from) {
        out.set(DnsWire.BYTE, from, (byte) 0);
        out.set(DnsWire.INT, from + 1, DnsWire.OPT << Short.SIZE | DnsLimits.UDP_BYTES_MAX);
        out.set(DnsWire.INT, from + 5, rcode >>> 4 << 24 | (query.dnssecOk() ? DnsWire.DNSSEC_OK : 0));
        out.set(DnsWire.SHORT, from + 9, (short) (bytes - DnsWire.OPT_BYTES));
        long at = from + DnsWire.OPT_BYTES;
        if (query.hasSubnet()) {
            int data = subnetBytes(query) - DnsWire.OPTION_HEAD_BYTES;
            out.set(DnsWire.INT, at, DnsWire.OPTION_CLIENT_SUBNET << Short.SIZE | data);
            at += DnsWire.OPTION_HEAD_BYTES;
            MemorySegment.copy(query.segment(), query.subnet() - SUBNET_HEAD_BYTES, out, at, data);
            out.set(DnsWire.BYTE, at + SUBNET_HEAD_BYTES - 1, (byte) (ranked ? query.subnetBits() : 0));
            at += data;
        }
        if (query.cookieBytes() > 0) {
            out.set(DnsWire.INT, at, DnsWire.OPTION_COOKIE << Short.SIZE | DnsCookies.BYTES);
            long client = query.segment().get(DnsWire.LONG, query.cookie());
            cookies.write(client, exchange.peerHigh(), exchange.peerLow(), exchange.nowMillis(), out, at + DnsWire.OPTION_HEAD_BYTES);
            at += COOKIE_BYTES;
        }
        if (withNsid) {
            out.set(DnsWire.INT, at, DnsWire.OPTION_NSID << Short.SIZE | nsid.length);
            MemorySegment.copy(nsid, 0, out, DnsWire.BYTE, at + DnsWire.OPTION_HEAD_BYTES, nsid.length);
        }
    }
}
