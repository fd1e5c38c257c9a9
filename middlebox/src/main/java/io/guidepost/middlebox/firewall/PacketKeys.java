package io.guidepost.middlebox.firewall;

import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.Headers;

/**
 * What a matcher looks at, of each packet of a burst, and what it found. It belongs to one thread.
 *
 * <p>A row of 8 longs is one cache line: source and destination address as halves, source port, destination port,
 * protocol, facts. The halves have their highest bit turned over, so that comparing them as signed numbers orders them
 * as addresses. The two IPv4 addresses of each packet and its facts stand in columns too, for matchers that need no more
 * of IPv4 packets; {@link RuleVectors} keeps what it looked up of each packet in {@link #classes}, in rows too.
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

    /** What was found of a frame that is no IP packet. */
    static final int NOT_IP = -1;

    /** What was found of an ARP frame. */
    static final int ARP = -2;

    /** What was found of a frame whose headers cannot be. */
    static final int MALFORMED = -3;

    /** Turns an unsigned number into a signed one of the same order. */
    static final long SIGN = Long.MIN_VALUE;

    private static final int TCP_FLAGS = 13;
    private static final int TCP_ACK_OR_RST = 0x14;

    final long[] rows;
    final long[] addresses;
    final long[] facts;
    final int[] classes;
    final long[] found;
    private final Headers headers = new Headers();
    private int count;

    PacketKeys(int capacity) {
        rows = new long[capacity << ROW_SHIFT];
        addresses = new long[capacity];
        facts = new long[capacity];
        classes = new int[capacity << ROW_SHIFT];
        found = new long[capacity];
    }

    int count() {
        return count;
    }

    /** Number of the rule, or one of the constants above. */
    int found(int index) {
        return (int) found[index];
    }

    boolean isIpv6(int index) {
        return (facts[index] & Facts.IPV6) != 0;
    }

    /** Whether a matcher is to look at it. */
    boolean isIp(int index) {
        return facts[index] != 0;
    }

    /** Reads the headers of all frames of a burst. */
    void read(Burst burst) {
        read(burst, true);
    }

    /**
     * Reads the headers of all frames of a burst.
     *
     * @param rows whether rows are filled for IPv4 packets too, or columns alone
     */
    void read(Burst burst, boolean rows) {
        count = burst.count();
        for (int i = 0; i < count; i++) {
            if (headers.read(burst, i) && headers.protocol() >= 0) {
                readIp(i, rows);
            } else {
                other(i);
            }
        }
    }

    private void other(int index) {
        addresses[index] = 0;
        facts[index] = 0;
        found[index] = headers.fault() != Headers.Fault.NONE
                ? MALFORMED
                : headers.etherType() == Headers.ARP ? ARP : NOT_IP;
    }

    private void readIp(int index, boolean row) {
        long all = Facts.of(headers.protocol(), headers.ports(), flags());
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

    /** An IPv6 packet from or to ::ffff:a.b.c.d has no place on a wire, and must not pass for an IPv4 packet. */
    private boolean isMapped() {
        return headers.sourceHigh() == 0 && headers.sourceLow() >>> 32 == 0xffff
                || headers.destinationHigh() == 0 && headers.destinationLow() >>> 32 == 0xffff;
    }

    private long flags() {
        long flags = headers.isIpv6() ? Facts.IPV6 : 0;
        if (!headers.isFirstFragment()) {
            return flags | Facts.LATER_FRAGMENT;
        }
        return switch (headers.protocol()) {
            case Headers.UDP -> flags | Facts.HAS_PORTS;
            case Headers.TCP ->
                (headers.frame().u8(headers.transportOffset() + TCP_FLAGS) & TCP_ACK_OR_RST) == 0
                        ? flags | Facts.HAS_PORTS
                        : flags | Facts.HAS_PORTS | Facts.ESTABLISHED;
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
