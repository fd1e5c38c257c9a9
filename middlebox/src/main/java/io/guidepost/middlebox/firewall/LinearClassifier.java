package io.guidepost.middlebox.firewall;

import java.util.stream.IntStream;

/**
 * Linear search: compares each packet with rule after rule, the fastest algorithm for a few rules. An IPv4 packet and a
 * rule's condition are two longs each; the second is compared only where the first, the addresses, match. So nearly
 * every rule costs two loads and a predictable branch, a third of a full comparison.
 *
 * <p>Why not branch-free, one rule against all packets of a burst, for auto-vectorisation? The compiler vectorised it
 * in some runs and took four times as long in others.
 */
final class LinearClassifier implements PacketClassifier {
    private final int rules;
    private final long[] mask;
    private final long[] value;
    private final long[] lowest;
    private final long[] highest;
    private final int[] ipv4Rule;
    private final long[] ipv6;
    private final int[] ipv6Rule;

    LinearClassifier(RuleTable table) {
        this.rules = table.rules();
        int[] four = IntStream.range(0, table.size()).filter(table::fitsIpv4).toArray();
        int[] six = IntStream.range(0, table.size()).filter(table::fitsIpv6).toArray();
        this.mask = IntStream.of(four).mapToLong(table::ipv4Mask).toArray();
        this.value = IntStream.of(four).mapToLong(table::ipv4Value).toArray();
        this.lowest = IntStream.of(four).mapToLong(each -> table.at(each, RuleTable.LOWEST)).toArray();
        this.highest = IntStream.of(four).mapToLong(each -> table.at(each, RuleTable.HIGHEST)).toArray();
        this.ipv4Rule = IntStream.of(four).map(table::rule).toArray();
        this.ipv6 = table.copy(six);
        this.ipv6Rule = IntStream.of(six).map(table::rule).toArray();
    }

    @Override
    public void match(PacketKeys keys) {
        int count = keys.count();
        for (int i = 0; i < count; i++) {
            long facts = keys.facts[i];
            if ((facts & PacketFacts.IPV6) != 0) {
                keys.found[i] = firstIpv6(keys.rows, i << PacketKeys.ROW_SHIFT);
            } else if (facts != 0) {
                keys.found[i] = firstIpv4(keys.addresses[i], facts);
            }
        }
    }

    private int firstIpv4(long addresses, long facts) {
        for (int i = 0; i < mask.length; i++) {
            if ((addresses & mask[i]) == value[i] && PacketFacts.miss(facts, lowest[i], highest[i]) == 0) {
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
}
