package io.guidepost.middlebox.firewall;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Finds the first rule of an IPv4 packet by bit vectors: for each field a table says in which interval between the bounds
 * of all rules its value is, and each interval has a vector of the rules that it is inside of. The vectors of all fields
 * are joined by AND, and the first bit that is left is the first rule (Lakshman, Stiliadis, "High-Speed Policy-Based
 * Packet Forwarding Using Efficient Multi-Dimensional Range Matching", SIGCOMM 1998).
 *
 * <p>A hundred rules are two words: ten loads, no comparison with any rule. The vectors of all intervals grow with the
 * square of the number of rules, which bounds it. IPv6 packets are left to a {@link RuleTree}.
 */
final class RuleVectors implements Matcher {
    private static final int PORTS = 1 << 16;
    private static final int KINDS = 1 << 11;

    private final int rules;
    private final int words;
    private final int[] ruleOf;
    private final Addresses source;
    private final Addresses destination;
    private final char[] sourcePortClass;
    private final char[] destinationPortClass;
    private final char[] kindClass;
    private final long[] sourcePorts;
    private final long[] destinationPorts;
    private final long[] kinds;
    private final RuleTree ipv6;

    RuleVectors(RuleTable table) {
        this.rules = table.rules();
        int[] four = IntStream.range(0, table.size()).filter(table::fitsIpv4).toArray();
        this.ruleOf = IntStream.of(four).map(table::rule).toArray();
        this.words = Math.max(1, four.length + 63 >> 6);
        this.source = new Addresses(table, four, 0, words);
        this.destination = new Addresses(table, four, 2, words);
        this.sourcePortClass = new char[PORTS];
        this.sourcePorts = ports(table, four, Facts.SOURCE_PORT, sourcePortClass);
        this.destinationPortClass = new char[PORTS];
        this.destinationPorts = ports(table, four, Facts.DESTINATION_PORT, destinationPortClass);
        this.kindClass = new char[KINDS];
        this.kinds = kinds(table, four);
        this.ipv6 = new RuleTree(table);
    }

    @Override
    public void match(PacketKeys keys) {
        int count = keys.count();
        int others = 0;
        for (int i = 0; i < count; i++) {
            long facts = keys.facts[i];
            if ((facts & Facts.IPV6) != 0) {
                others++;
            } else if (facts != 0) {
                keys.found[i] = first(keys.addresses[i], facts);
            }
        }
        if (others > 0) {
            ipv6.matchIpv6(keys);
        }
    }

    private int first(long addresses, long facts) {
        int from = source.vector((int) (addresses >>> 32));
        int to = destination.vector((int) addresses);
        int fromPort = sourcePortClass[(int) (facts >>> Facts.SOURCE_PORT) & 0xffff] * words;
        int toPort = destinationPortClass[(int) (facts >>> Facts.DESTINATION_PORT) & 0xffff] * words;
        int kind = kindClass[kind(facts)] * words;
        for (int word = 0; word < words; word++) {
            long fit = source.vectors[from + word]
                    & destination.vectors[to + word]
                    & sourcePorts[fromPort + word]
                    & destinationPorts[toPort + word]
                    & kinds[kind + word];
            if (fit != 0) {
                return ruleOf[(word << 6) + Long.numberOfTrailingZeros(fit)];
            }
        }
        return rules;
    }

    /** Protocol and the three flags of a packet as one small number. */
    private static int kind(long facts) {
        int above = (int) (facts >>> Facts.PROTOCOL);
        return above & 0xff | above >>> 1 & 0x100 | above >>> 2 & 0x200 | above >>> 3 & 0x400;
    }

    private long[] ports(RuleTable table, int[] four, int shift, char[] classes) {
        int[] bounds = IntStream.concat(
                        IntStream.of(0),
                        IntStream.of(four)
                                .flatMap(entry -> IntStream.of(lowest(table, entry, shift), highest(table, entry, shift) + 1)))
                .filter(bound -> bound < PORTS)
                .sorted()
                .distinct()
                .toArray();
        long[] vectors = new long[bounds.length * words];
        for (int i = 0; i < bounds.length; i++) {
            Arrays.fill(classes, bounds[i], i + 1 < bounds.length ? bounds[i + 1] : PORTS, (char) i);
            for (int bit = 0; bit < four.length; bit++) {
                if (lowest(table, four[bit], shift) <= bounds[i] && bounds[i] <= highest(table, four[bit], shift)) {
                    vectors[i * words + (bit >> 6)] |= 1L << bit;
                }
            }
        }
        return vectors;
    }

    private static int lowest(RuleTable table, int entry, int shift) {
        return (int) (table.at(entry, RuleTable.LOWEST) >>> shift) & 0xffff;
    }

    private static int highest(RuleTable table, int entry, int shift) {
        return (int) (table.at(entry, RuleTable.HIGHEST) - Facts.GUARDS >>> shift) & 0xffff;
    }

    /** One vector for each kind of packet that some rule tells from others. */
    private long[] kinds(RuleTable table, int[] four) {
        long[] vectors = new long[KINDS * words];
        Map<String, Integer> known = new HashMap<>();
        for (int kind = 0; kind < KINDS; kind++) {
            long facts = Facts.of(kind & 0xff, 0, 0)
                    | ((kind & 0x100) != 0 ? Facts.HAS_PORTS : 0)
                    | ((kind & 0x200) != 0 ? Facts.ESTABLISHED : 0)
                    | ((kind & 0x400) != 0 ? Facts.LATER_FRAGMENT : 0);
            long[] vector = new long[words];
            for (int bit = 0; bit < four.length; bit++) {
                long any = 0xffffL << Facts.SOURCE_PORT | 0xffffL << Facts.DESTINATION_PORT;
                long low = table.at(four[bit], RuleTable.LOWEST) & ~any;
                long high = table.at(four[bit], RuleTable.HIGHEST) - Facts.GUARDS | any;
                if (Facts.miss(facts, low, high + Facts.GUARDS) == 0) {
                    vector[bit >> 6] |= 1L << bit;
                }
            }
            int number = known.computeIfAbsent(Arrays.toString(vector), each -> known.size());
            kindClass[kind] = (char) number;
            System.arraycopy(vector, 0, vectors, number * words, words);
        }
        return Arrays.copyOf(vectors, known.size() * words);
    }

    @Override
    public boolean wantsRows() {
        return false;
    }

    @Override
    public long bytes() {
        return source.bytes()
                + destination.bytes()
                + 8L * (sourcePorts.length + destinationPorts.length + kinds.length)
                + 2L * (2 * PORTS + KINDS)
                + 4L * ruleOf.length
                + ipv6.bytes();
    }

    /** The vectors of one address: the upper half of it leads to the intervals that the lower half chooses among. */
    private static final class Addresses {
        private final char[] first = new char[PORTS + 1];
        private final int[] bounds;
        private final int words;
        private final long[] vectors;

        Addresses(RuleTable table, int[] four, int place, int words) {
            this.words = words;
            long[] lows = new long[four.length];
            long[] highs = new long[four.length];
            for (int i = 0; i < four.length; i++) {
                long mask = table.at(four[i], place + 1) & 0xffff_ffffL;
                lows[i] = table.at(four[i], place) & mask;
                highs[i] = lows[i] | ~mask & 0xffff_ffffL;
            }
            long[] all = LongStream.concat(
                            LongStream.concat(
                                    LongStream.of(0), Arrays.stream(lows)),
                            Arrays.stream(highs).map(each -> each + 1))
                    .filter(bound -> bound <= 0xffff_ffffL)
                    .sorted()
                    .distinct()
                    .toArray();
            this.vectors = new long[all.length * words];
            // Turned over, so that comparing signed numbers orders them as addresses.
            this.bounds = Arrays.stream(all).mapToInt(bound -> (int) bound ^ Integer.MIN_VALUE).toArray();
            for (int i = 0; i < all.length; i++) {
                for (int bit = 0; bit < four.length; bit++) {
                    if (lows[bit] <= all[i] && all[i] <= highs[bit]) {
                        vectors[i * words + (bit >> 6)] |= 1L << bit;
                    }
                }
            }
            int interval = 0;
            for (int half = 0; half < PORTS; half++) {
                while (interval + 1 < all.length && all[interval + 1] <= (long) half << 16) {
                    interval++;
                }
                first[half] = (char) interval;
            }
            first[PORTS] = (char) (all.length - 1);
        }

        /** Where the vector of an address begins. */
        int vector(int address) {
            int low = first[address >>> 16];
            int high = first[(address >>> 16) + 1];
            return (low == high ? low : search(low, high, address ^ Integer.MIN_VALUE)) * words;
        }

        /** The last interval that begins at or before the address. */
        private int search(int from, int to, int address) {
            int low = from;
            int high = to;
            while (low < high) {
                int middle = low + high + 1 >>> 1;
                if (bounds[middle] <= address) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return low;
        }

        long bytes() {
            return 2L * first.length + 4L * bounds.length + 8L * vectors.length;
        }
    }
}
