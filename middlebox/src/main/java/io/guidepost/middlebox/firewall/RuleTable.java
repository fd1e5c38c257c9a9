package io.guidepost.middlebox.firewall;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The rules of one direction with their lists expanded: each entry is a box, one range in each of seven dimensions, and
 * some flags. Entries are in the order of their rules, so that the first matching entry belongs to the first matching
 * rule.
 *
 * <pre>
 *  entry, 10 longs: source low: value, mask   destination low: value, mask   facts: lowest, highest
 *                   source high: value, mask   destination high: value, mask
 * </pre>
 */
final class RuleTable {
    static final int ENTRY_LONGS = 10;
    static final int LOWEST = 4;
    static final int HIGHEST = 5;
    private static final List<Prefix> ANY = List.of(new Prefix(0, 0, 0));
    private static final List<PortRange> ANY_PORT = List.of(new PortRange(0, PortRange.MAX));

    private final int rules;
    private long[] entries = new long[16 * ENTRY_LONGS];
    private int[] rule = new int[16];
    private int size;

    private RuleTable(int rules) {
        this.rules = rules;
    }

    static RuleTable of(List<FirewallRule> rules, RuleDirection direction) {
        RuleTable table = new RuleTable(rules.size());
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).isFor(direction)) {
                table.add(rules.get(i), i);
            }
        }
        return table;
    }

    private void add(FirewallRule each, int number) {
        for (Prefix source : each.from().isEmpty() ? ANY : each.from()) {
            for (Prefix destination : each.to().isEmpty() ? ANY : each.to()) {
                if (each.from().isEmpty() || each.to().isEmpty() || source.isIpv4() == destination.isIpv4()) {
                    addPorts(each, number, source, destination);
                }
            }
        }
    }

    private void addPorts(FirewallRule each, int number, Prefix source, Prefix destination) {
        for (PortRange from : each.fromPorts().isEmpty() ? ANY_PORT : each.fromPorts()) {
            for (PortRange to : each.toPorts().isEmpty() ? ANY_PORT : each.toPorts()) {
                append(each, number, source, destination, from, to);
            }
        }
    }

    private void append(FirewallRule each, int number, Prefix source, Prefix destination, PortRange from, PortRange to) {
        int at = size * ENTRY_LONGS;
        if (at == entries.length) {
            entries = Arrays.copyOf(entries, 2 * entries.length);
            rule = Arrays.copyOf(rule, 2 * rule.length);
        }
        boolean ipv4 = source.isIpv4() || destination.isIpv4();
        boolean ipv6 = !ipv4 && (!each.from().isEmpty() || !each.to().isEmpty());
        boolean ports = !each.fromPorts().isEmpty() || !each.toPorts().isEmpty();
        long lowest = (long) from.first() << PacketFacts.SOURCE_PORT
                | (long) to.first() << PacketFacts.DESTINATION_PORT
                | Math.max(0L, each.protocol()) << PacketFacts.PROTOCOL
                | (ports ? PacketFacts.HAS_PORTS : 0)
                | (each.established() ? PacketFacts.ESTABLISHED : 0)
                | (each.fragment() ? PacketFacts.LATER_FRAGMENT : 0)
                | (ipv6 ? PacketFacts.IPV6 : 0);
        long highest = (long) from.last() << PacketFacts.SOURCE_PORT
                | (long) to.last() << PacketFacts.DESTINATION_PORT
                | (each.protocol() < 0 ? 0xffL : each.protocol()) << PacketFacts.PROTOCOL
                | PacketFacts.HAS_PORTS
                | PacketFacts.ESTABLISHED
                | PacketFacts.LATER_FRAGMENT
                | (ipv4 ? 0 : PacketFacts.IPV6);
        entries[at] = source.low() ^ PacketKeys.SIGN;
        entries[at + 1] = Addresses.lowMask(source.length());
        entries[at + 2] = destination.low() ^ PacketKeys.SIGN;
        entries[at + 3] = Addresses.lowMask(destination.length());
        entries[at + LOWEST] = lowest;
        entries[at + HIGHEST] = (highest | PacketFacts.GUARDS) + PacketFacts.GUARDS;
        entries[at + 6] = source.high() ^ PacketKeys.SIGN;
        entries[at + 7] = Addresses.highMask(source.length());
        entries[at + 8] = destination.high() ^ PacketKeys.SIGN;
        entries[at + 9] = Addresses.highMask(destination.length());
        rule[size++] = number;
    }

    /** Returns the number of rules of the whole set, which is also the number of the default. */
    int rules() {
        return rules;
    }

    /** Returns the number of entries. */
    int size() {
        return size;
    }

    /** Returns the rule of an entry. */
    int rule(int entry) {
        return rule[entry];
    }

    /** Returns one long of an entry. */
    long at(int entry, int place) {
        return entries[entry * ENTRY_LONGS + place];
    }

    /** Returns an entry's value for an IPv4 packet's two addresses, in the layout of {@link PacketKeys#addresses}. */
    long ipv4Value(int entry) {
        return (at(entry, 0) << 32 | at(entry, 2) & 0xffff_ffffL) & ipv4Mask(entry);
    }

    /** Returns the bits of {@link #ipv4Value} that are compared. */
    long ipv4Mask(int entry) {
        return at(entry, 1) << 32 | at(entry, 3) & 0xffff_ffffL;
    }

    boolean fitsIpv4(int entry) {
        return (at(entry, LOWEST) & PacketFacts.IPV6) == 0;
    }

    boolean fitsIpv6(int entry) {
        return (at(entry, HIGHEST) - PacketFacts.GUARDS & PacketFacts.IPV6) != 0;
    }

    /** Returns only the entries that can match IPv6 packets. */
    RuleTable ipv6() {
        int[] chosen = IntStream.range(0, size).filter(this::fitsIpv6).toArray();
        RuleTable six = new RuleTable(rules);
        six.entries = copy(chosen);
        six.rule = IntStream.of(chosen).map(this::rule).toArray();
        six.size = chosen.length;
        return six;
    }

    /** Returns the chosen entries in order, as one array of their longs. */
    long[] copy(int[] chosen) {
        long[] copy = new long[chosen.length * ENTRY_LONGS];
        for (int i = 0; i < chosen.length; i++) {
            System.arraycopy(entries, chosen[i] * ENTRY_LONGS, copy, i * ENTRY_LONGS, ENTRY_LONGS);
        }
        return copy;
    }

    /** Returns whether an entry in an array matches a packet. */
    static boolean fits(long[] entries, int at, long[] rows, int row) {
        long miss = (entries[at] ^ rows[row + PacketKeys.SOURCE_LOW]) & entries[at + 1]
                | (entries[at + 2] ^ rows[row + PacketKeys.DESTINATION_LOW]) & entries[at + 3]
                | PacketFacts.miss(rows[row + PacketKeys.FACTS], entries[at + LOWEST], entries[at + HIGHEST]);
        return miss == 0 && fitsHigh(entries, at, rows, row);
    }

    private static boolean fitsHigh(long[] entries, int at, long[] rows, int row) {
        return ((entries[at + 6] ^ rows[row + PacketKeys.SOURCE_HIGH]) & entries[at + 7]
                        | (entries[at + 8] ^ rows[row + PacketKeys.DESTINATION_HIGH]) & entries[at + 9])
                == 0;
    }
}
