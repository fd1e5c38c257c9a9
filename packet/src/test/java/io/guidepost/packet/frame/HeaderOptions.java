package io.guidepost.packet.frame;

import io.guidepost.base.Memory;

/**
 * Walks the options of a header: {@code while (options.next()) ...}. Padding is skipped. An invalid length ends the
 * walk, see {@link #isMalformed}.
 *
 * <pre>
 *  IPv4, TCP     kind 8, length 8 of all of it, data; kinds 0 (end) and 1 (nothing) are one byte     RFC 791, RFC 9293
 *  IPv6          type 8, length 8 of the data, data; type 0 is one byte of padding, type 1 more      RFC 8200
 *  neighbour     type 8, length 8 of all of it in units of eight bytes, data                         RFC 4861
 * </pre>
 */
final class HeaderOptions {
    /** The layout of options. */
    public enum Form {
        /** Of IPv4 and TCP. */
        IPV4_TCP,
        /** Of the hop-by-hop and destination options headers of IPv6. */
        IPV6,
        /** Of neighbour discovery. */
        NEIGHBOUR
    }

    private Form form = Form.IPV4_TCP;
    private long nextAt;
    private long end;
    private int kind;
    private long dataAddress;
    private int dataBytes;
    private boolean malformed;

    /** Points the cursor before the first option. */
    public HeaderOptions wrap(long address, int bytes, Form layout) {
        nextAt = address;
        end = address + bytes;
        form = layout;
        malformed = false;
        return this;
    }

    HeaderOptions of(Ipv4 ipv4) {
        return wrap(ipv4.address() + Ipv4.BYTES, ipv4.bytes() - Ipv4.BYTES, Form.IPV4_TCP);
    }

    HeaderOptions of(Tcp tcp) {
        return wrap(tcp.address() + Tcp.BYTES, tcp.bytes() - Tcp.BYTES, Form.IPV4_TCP);
    }

    HeaderOptions of(Icmpv6 icmp, int messageBytes) {
        return wrap(icmp.payloadAddress(), Math.min(messageBytes, icmp.bytesLeft()) - icmp.bytes(), Form.NEIGHBOUR);
    }

    /** Advances to the next option; false if there is none, or it is malformed. */
    public boolean next() {
        while (nextAt < end) {
            kind = Memory.u8(nextAt);
            if (form == Form.IPV4_TCP && kind == 0) {
                nextAt = end;
                return false;
            }
            if (form == Form.IPV4_TCP && kind == 1 || form == Form.IPV6 && kind == 0) {
                nextAt++;
                continue;
            }
            if (!measure()) {
                malformed = true;
                nextAt = end;
                return false;
            }
            if (form != Form.IPV6 || kind != 1) {
                return true;
            }
        }
        return false;
    }

    private boolean measure() {
        if (end - nextAt < 2) {
            return false;
        }
        int length = Memory.u8(nextAt + 1);
        int whole = switch (form) {
            case IPV4_TCP -> length;
            case IPV6 -> length + 2;
            case NEIGHBOUR -> length << 3;
        };
        if (whole < 2 || whole > end - nextAt) {
            return false;
        }
        dataAddress = nextAt + 2;
        dataBytes = whole - 2;
        nextAt += whole;
        return true;
    }

    /** Returns the kind of the option. */
    public int kind() {
        return kind;
    }

    /** Returns the address of its data, behind kind and length. */
    public long dataAddress() {
        return dataAddress;
    }

    /** Returns the bytes of its data. */
    public int dataBytes() {
        return dataBytes;
    }

    /** Returns whether the walk ended at an invalid length. */
    public boolean isMalformed() {
        return malformed;
    }
}
