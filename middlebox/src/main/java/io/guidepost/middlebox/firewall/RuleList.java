package io.guidepost.middlebox.firewall;

import java.util.stream.IntStream;

/**
 * Compares every packet with every rule: the fastest for some dozens of rules.
 *
 * <p>With IPv4, where a packet is two longs, the loop over the packets of a burst is the inner one, without a branch, from
 * the last rule to the first: each rule that fits replaces what was found before. So the compiler makes vector
 * instructions of it, eight packets in one; a longer loop, as for two rules in one pass, gained
 * nothing. Few packets, and those of IPv6, are compared rule by rule until one fits.
 */
final class RuleList implements Matcher {
    /** Packets from which the loop over packets pays. */
    private static final int VECTOR_PACKETS_MIN = 8;

    private final int rules;
    private final long[] ipv4;
    private final int[] ipv4Rule;
    private final long[] ipv6;
    private final int[] ipv6Rule;

    RuleList(RuleTable table) {
        this.rules = table.rules();
        int[] four = IntStream.range(0, table.size()).filter(table::fitsIpv4).toArray();
        int[] six = IntStream.range(0, table.size()).filter(table::fitsIpv6).toArray();
        this.ipv4 = new long[four.length << 2];
        for (int i = 0; i < four.length; i++) {
            long source = table.at(four[i], 0);
            long destination = table.at(four[i], 2);
            ipv4[i << 2] = source << 32 | destination & 0xffff_ffffL;
            ipv4[(i << 2) + 1] = table.at(four[i], 1) << 32 | table.at(four[i], 3) & 0xffff_ffffL;
            ipv4[(i << 2) + 2] = table.at(four[i], RuleTable.LOWEST);
            // An IPv6 packet must miss here even where its version does not matter: it is found by its own list.
            long highest = table.at(four[i], RuleTable.HIGHEST);
            ipv4[(i << 2) + 3] = table.fitsIpv6(four[i]) ? highest - Facts.IPV6 : highest;
        }
        this.ipv4Rule = IntStream.of(four).map(table::rule).toArray();
        this.ipv6 = table.copy(six);
        this.ipv6Rule = IntStream.of(six).map(table::rule).toArray();
    }

    @Override
    public void match(PacketKeys keys) {
        int count = keys.count();
        boolean together = count >= VECTOR_PACKETS_MIN;
        int left = 0;
        for (int i = 0; i < count; i++) {
            if (!keys.isIp(i)) {
                continue;
            }
            if (keys.isIpv6(i)) {
                keys.found[i] = firstIpv6(keys.rows, i << PacketKeys.ROW_SHIFT);
            } else if (!together) {
                keys.found[i] = firstIpv4(keys.addresses[i], keys.facts[i]);
            } else {
                keys.found[i] = rules;
                left++;
            }
        }
        if (left > 0) {
            for (int rule = ipv4Rule.length - 1; rule >= 0; rule--) {
                compare(keys, count, rule << 2, ipv4Rule[rule]);
            }
        }
    }

    /**
     * One rule against all packets. Facts of IPv6 packets miss by their version, and those of others by their lack of
     * guards, so that what was found of them stays.
     */
    private void compare(PacketKeys keys, int count, int at, long rule) {
        long[] addresses = keys.addresses;
        long[] facts = keys.facts;
        long[] found = keys.found;
        long value = ipv4[at];
        long mask = ipv4[at + 1];
        long lowest = ipv4[at + 2];
        long highest = ipv4[at + 3];
        for (int i = 0; i < count; i++) {
            long hit = hit((addresses[i] ^ value) & mask, facts[i] - lowest, highest - facts[i]);
            found[i] ^= (found[i] ^ rule) & hit;
        }
    }

    /** All ones if no bit of the addresses differs and the guards of all facts survived both subtractions, else 0. */
    private static long hit(long differs, long above, long below) {
        long miss = differs | ~(above & below) & Facts.GUARDS;
        return -((miss - 1 & ~miss) >>> 63);
    }

    private int firstIpv4(long addresses, long facts) {
        for (int i = 0, at = 0; i < ipv4Rule.length; i++, at += 4) {
            if (((addresses ^ ipv4[at]) & ipv4[at + 1] | Facts.miss(facts, ipv4[at + 2], ipv4[at + 3])) == 0) {
                return ipv4Rule[i];
            }
        }
        return rules;
    }

    private int firstIpv6(long[] rows, int row) {
        for (int i = 0; i < ipv6Rule.length; i++) {
            if (RuleTable.fits(ipv6, i * RuleTable.ENTRY_LONGS, rows, row)) {
                return ipv6Rule[i];
            }
        }
        return rules;
    }

    @Override
    public boolean wantsRows() {
        return false;
    }

    @Override
    public long bytes() {
        return 8L * (ipv4.length + ipv6.length) + 4L * (ipv4Rule.length + ipv6Rule.length);
    }
}
