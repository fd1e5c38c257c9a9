package io.guidepost.middlebox.firewall;

import java.util.stream.IntStream;

/**
 * Compares each packet with rule after rule until one fits: the simplest, and the fastest for a handful of rules. An IPv4
 * packet and what a rule asks of it are two longs each.
 *
 * <p>Why not without branches, one rule against all packets of a burst, so that the compiler makes vector instructions of
 * it? It did, or it did not and took four times as long, from one start of the process to the next.
 */
final class RuleList implements Matcher {
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
            ipv4[(i << 2) + 3] = table.at(four[i], RuleTable.HIGHEST);
        }
        this.ipv4Rule = IntStream.of(four).map(table::rule).toArray();
        this.ipv6 = table.copy(six);
        this.ipv6Rule = IntStream.of(six).map(table::rule).toArray();
    }

    @Override
    public void match(PacketKeys keys) {
        int count = keys.count();
        for (int i = 0; i < count; i++) {
            long facts = keys.facts[i];
            if ((facts & Facts.IPV6) != 0) {
                keys.found[i] = firstIpv6(keys.rows, i << PacketKeys.ROW_SHIFT);
            } else if (facts != 0) {
                keys.found[i] = firstIpv4(keys.addresses[i], facts);
            }
        }
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
