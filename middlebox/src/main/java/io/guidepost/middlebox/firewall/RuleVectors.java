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
        this.words = Math.max(2, four.length + 127 >> 7 << 1);
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
        // By pairs and without a branch in them: which word has the first rule is what no processor can foretell.
        for (int word = 0; word < words; word += 2) {
            int one = Long.numberOfTrailingZeros(fit(from, to, fromPort, toPort, kind, word));
            int other = Long.numberOfTrailingZeros(fit(from, to, fromPort, toPort, kind, word + 1));
            int bit = one + (other & -(one >>> 6));
            if (bit < 2 * Long.SIZE) {
                return ruleOf[(word << 6) + bit];
            }
        }
        return rules;
    }

    private long fit(int from, int to, int fromPort, int toPort, int kind, int word) {
        return source.vectors[from + word]
                & destination.vectors[to + word]
                & sourcePorts[fromPort + word]
                & destinationPorts[toPort + word]
                & kinds[kind + word];
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

    /**
     * The vectors of one address: 16 bits lead to an interval, or, where several begin among them, to 256 places that the
     * next 8 bits choose from; what is left is compared with the bounds of that place.
     */
    private static final class Addresses {
        private static final int PLACES = 256;
        private static final int PLACE_SHIFT = 8;

        /** Number of an interval, or ~ of where the places begin. */
        private final int[] first = new int[PORTS];

        private final char[] second;
        private final long[] bounds;
        private final int topStep;
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
                            LongStream.concat(LongStream.of(0), Arrays.stream(lows)),
                            Arrays.stream(highs).map(each -> each + 1))
                    .filter(bound -> bound <= 0xffff_ffffL)
                    .sorted()
                    .distinct()
                    .toArray();
            this.vectors = new long[all.length * words];
            for (int i = 0; i < all.length; i++) {
                for (int bit = 0; bit < four.length; bit++) {
                    if (lows[bit] <= all[i] && all[i] <= highs[bit]) {
                        vectors[i * words + (bit >> 6)] |= 1L << bit;
                    }
                }
            }
            int busy = (int) Arrays.stream(all).map(bound -> bound >>> 16).distinct().count();
            this.second = new char[busy * PLACES];
            this.topStep = Integer.highestOneBit(fill(all));
            this.bounds = Arrays.copyOf(all, all.length + 2 * topStep);
            Arrays.fill(bounds, all.length, bounds.length, Long.MAX_VALUE);
        }

        /** Fills the two tables; how many intervals begin inside of the busiest place. */
        private int fill(long[] all) {
            int most = 0;
            int places = 0;
            for (int half = 0; half < PORTS; half++) {
                long begin = (long) half << 16;
                first[half] = last(all, begin);
                if (last(all, begin + 0xffff) == first[half]) {
                    continue;
                }
                first[half] = ~places;
                for (int i = 0; i < PLACES; i++) {
                    int interval = last(all, begin + (i << PLACE_SHIFT));
                    second[places++] = (char) interval;
                    most = Math.max(most, last(all, begin + (i << PLACE_SHIFT) + PLACES - 1) - interval);
                }
            }
            return most;
        }

        /** The last interval that begins at or before an address. */
        private static int last(long[] all, long address) {
            int found = Arrays.binarySearch(all, address);
            return found >= 0 ? found : -found - 2;
        }

        /** Where the vector of an address begins. */
        int vector(int address) {
            int interval = first[address >>> 16];
            if (interval < 0) {
                interval = second[~interval + (address >>> PLACE_SHIFT & PLACES - 1)];
                // As many steps for each, without a branch on what is compared.
                for (int step = topStep; step > 0; step >>>= 1) {
                    interval += step & (int) (bounds[interval + step] - (address & 0xffff_ffffL) - 1 >> 63);
                }
            }
            return interval * words;
        }

        long bytes() {
            return 4L * first.length + 2L * second.length + 8L * (bounds.length + vectors.length);
        }
    }
}
