package io.guidepost.middlebox.firewall;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.Ethernet;
import io.guidepost.packet.frame.HeaderParser;

/**
 * The classification keys of a burst's packets, and the rules found. It belongs to one thread.
 *
 * <p>A row of 8 longs is one cache line: source and destination address as halves, source port, destination port,
 * protocol, facts. The halves' highest bit is inverted, so that signed comparison orders them as addresses. IPv4
 * addresses and facts also stand in columns, for classifiers that need no more; {@link RfcClassifier} has columns of
 * its own for intermediate results.
 */
final class PacketKeys {
    static final int ROW_SHIFT = 3;
    static final int SOURCE_HIGH = 0;
    static final int SOURCE_LOW = 1;
    static final int DESTINATION_HIGH = 2;
    static final int DESTINATION_LOW = 3;
    static final int SOURCE_PORT = 4;
    static final int DESTINATION_PORT = 5;
    static final int PROTOCOL = 6;
    static final int FACTS = 7;

    /** Result for a non-IP frame. */
    static final int NOT_IP = -1;

    /** Result for an ARP frame. */
    static final int ARP = -2;

    /** Result for a malformed frame. */
    static final int MALFORMED = -3;

    /** Maps unsigned to signed order. */
    static final long SIGN = Long.MIN_VALUE;

    /** Ethernet, IPv4 and TCP; UDP frames are mostly padded to this length too. */
    private static final int PLAIN_BYTES = 54;

    private static final long PLAIN_IPV4 = 0x0800_45;
    private static final int TCP_OFFSET = 12;
    private static final int TCP_FLAGS = 13;
    private static final int TCP_ACK_OR_RST = 0x14;

    final long[] rows;
    final long[] addresses;
    final long[] facts;
    final int[] path;
    final int[] service;
    final int[] other;
    final long[] found;
    private final HeaderParser headers = new HeaderParser();
    private int count;

    PacketKeys(int capacity) {
        rows = new long[capacity << ROW_SHIFT];
        addresses = new long[capacity];
        facts = new long[capacity];
        path = new int[capacity];
        service = new int[capacity];
        other = new int[capacity];
        found = new long[capacity];
    }

    int count() {
        return count;
    }

    /** Returns the number of the rule found, or one of the constants above. */
    int found(int index) {
        return (int) found[index];
    }

    boolean isIpv6(int index) {
        return (facts[index] & PacketFacts.IPV6) != 0;
    }

    /** Returns whether the packet is to be classified. */
    boolean isIp(int index) {
        return facts[index] != 0;
    }

    /**
     * Parses all frames of a burst.
     *
     * @param rows whether to fill rows for IPv4 packets too, or columns alone
     */
    void read(Burst burst, boolean rows) {
        count = burst.count();
        for (int i = 0; i < count; i++) {
            if (!rows && readPlain(i, burst.offset(i), burst.length(i))) {
                continue;
            }
            if (headers.read(burst, i) && headers.protocol() >= 0) {
                readIp(i, rows);
            } else {
                other(i);
            }
        }
    }

    /**
     * Parses UDP and TCP over IPv4 without tags, options and fragments, the common case; false for all others, which
     * {@link io.guidepost.packet.frame.HeaderParser} parses. A single combined check, as the protocol is unpredictable.
     */
    private boolean readPlain(int index, long at, int length) {
        if (length < PLAIN_BYTES) {
            return false;
        }
        long first = Memory.i64(at, 12);
        long second = Memory.i64(at, 20);
        long transport = Memory.i64(at, 34);
        int more = Memory.u16(at, 34 + TCP_OFFSET);
        int protocol = (int) (second >>> 32) & 0xff;
        int tcp = (protocol - HeaderParser.UDP | HeaderParser.UDP - protocol) >> 31;
        int total = (int) first >>> 16;
        int bytes = (int) transport >>> 16 & ~tcp | more >>> 12 << 2 & tcp;
        long odd = first >>> 40 ^ PLAIN_IPV4 | second >>> 48 & 0x3fff | (protocol ^ HeaderParser.TCP) & tcp;
        int gaps = length - Ethernet.BYTES - total | bytes - (8 + (12 & tcp)) | total - 20 - bytes;
        if (odd != 0 || gaps < 0) {
            return false;
        }
        addresses[index] = Memory.i64(at, 26);
        long established = -(more & TCP_ACK_OR_RST & tcp) >> 31 & PacketFacts.ESTABLISHED;
        facts[index] = PacketFacts.of(protocol, (int) (transport >>> 32), PacketFacts.HAS_PORTS | established);
        return true;
    }

    private void other(int index) {
        addresses[index] = 0;
        facts[index] = 0;
        found[index] = headers.fault() != HeaderParser.Fault.NONE
                ? MALFORMED
                : headers.etherType() == HeaderParser.ARP ? ARP : NOT_IP;
    }

    private void readIp(int index, boolean row) {
        long all = PacketFacts.of(headers.protocol(), headers.ports(), flags());
        addresses[index] = headers.sourceLow() << 32 | headers.destinationLow() & 0xffff_ffffL;
        facts[index] = all;
        if (row || headers.isIpv6()) {
            putRow(index << ROW_SHIFT, all);
            if (headers.isIpv6() && isMapped()) {
                other(index);
                found[index] = MALFORMED;
            }
        }
    }

    /** Returns whether an IPv6 packet uses ::ffff:a.b.c.d, which is invalid on a wire and must not pass for IPv4. */
    private boolean isMapped() {
        return headers.sourceHigh() == 0 && headers.sourceLow() >>> 32 == 0xffff
                || headers.destinationHigh() == 0 && headers.destinationLow() >>> 32 == 0xffff;
    }

    private long flags() {
        long flags = headers.isIpv6() ? PacketFacts.IPV6 : 0;
        if (!headers.isFirstFragment()) {
            return flags | PacketFacts.LATER_FRAGMENT;
        }
        return switch (headers.protocol()) {
            case HeaderParser.UDP -> flags | PacketFacts.HAS_PORTS;
            case HeaderParser.TCP ->
                (headers.unchecked().u8(headers.transportOffset() + TCP_FLAGS) & TCP_ACK_OR_RST) == 0
                        ? flags | PacketFacts.HAS_PORTS
                        : flags | PacketFacts.HAS_PORTS | PacketFacts.ESTABLISHED;
            default -> flags;
        };
    }

    private void putRow(int row, long all) {
        int ports = headers.ports();
        rows[row + SOURCE_HIGH] = headers.sourceHigh() ^ SIGN;
        rows[row + SOURCE_LOW] = headers.sourceLow() ^ SIGN;
        rows[row + DESTINATION_HIGH] = headers.destinationHigh() ^ SIGN;
        rows[row + DESTINATION_LOW] = headers.destinationLow() ^ SIGN;
        rows[row + SOURCE_PORT] = ports >>> 16 & 0xffffL;
        rows[row + DESTINATION_PORT] = ports & 0xffff;
        rows[row + PROTOCOL] = headers.protocol();
        rows[row + FACTS] = all;
    }
}
