package io.guidepost.middlebox.firewall;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Recursive flow classification (RFC: Gupta, McKeown, "Packet Classification on Multiple Fields", SIGCOMM 1999) of IPv4
 * packets by table lookups alone. Each value of a field maps to the equivalence class of all values that match the same
 * boxes; the classes of two fields map, through their cross-product table, to a class of both, until one class is left,
 * the result. A packet costs the same with ten rules and with ten thousand, except for cache misses.
 *
 * <pre>
 *  addresses >>> 48, 32   source, halves        -> source      \
 *  addresses >>> 16, 0    destination, halves   -> destination  > -> both       \
 *  facts >>> 17, 0        ports                 -> ports        \                > -> first box -> rule
 *  facts >>> 34           protocol and flags                     > -> service   /
 *
 *  classes[value of a field]     table[class of one * classes of the other + class of the other]
 * </pre>
 *
 * <p>A burst is classified phase by phase: each is a small loop, and the loads of different packets overlap. Arrays
 * have powers of two and indices are masked, so that the compiler removes bounds checks.
 *
 * <p>The tables can grow with the square of the rules and more, if rules combine sources, destinations and ports
 * arbitrarily. They are bounded, and {@link #of} returns nothing beyond. A {@link HyperSplitClassifier} classifies IPv6
 * packets.
 */
final class RfcClassifier implements PacketClassifier {
    private static final int VALUES = 1 << 16;

    /** Bits of the protocol's field that vary: the guards between them are always set, and the highest is IPv6. */
    private static final int KIND_BITS =
            (int) ((PacketFacts.HAS_PORTS | PacketFacts.ESTABLISHED | PacketFacts.LATER_FRAGMENT) >>> PacketFacts.PROTOCOL) | 0xff;

    private static final int KIND_GUARDS = (int) (PacketFacts.GUARDS >>> PacketFacts.PROTOCOL) & VALUES - 1;

    private final Pair source;
    private final Pair destination;
    private final Pair ports;
    private final Field kind;
    private final Product service;
    private final Product path;
    private final Product first;

    /** The rule of each box, and behind them the default. */
    private final int[] ruleOf;

    private final HyperSplitClassifier ipv6;

    /** The class of each value of a field. */
    private record Field(int shift, char[] classes, EquivalenceClasses sets) {}

    /** The cross-product table of two fields' classes; a row for each class of the first. */
    private record Product(int columns, char[] table, EquivalenceClasses sets) {}

    /** Two halves of one field, and their cross-product table. */
    private record Pair(Field high, Field low, Product product) {}

    /** Builds the tables of some boxes; empty if they would exceed {@link FirewallLimits}. */
    static Optional<RfcClassifier> of(RuleTable table) {
        if (table.size() > FirewallLimits.PRODUCT_BOXES_MAX) {
            return Optional.empty();
        }
        try {
            return Optional.of(new RfcClassifier(table));
        } catch (EquivalenceClasses.TooMany e) {
            return Optional.empty();
        }
    }

    private RfcClassifier(RuleTable table) throws EquivalenceClasses.TooMany {
        int[] four = IntStream.range(0, table.size()).filter(table::fitsIpv4).toArray();
        this.ruleOf = Arrays.copyOf(IntStream.of(four).map(table::rule).toArray(), four.length + 1);
        ruleOf[four.length] = table.rules();
        long[] lowest = IntStream.of(four).mapToLong(table::ipv4Value).toArray();
        long[] highest = IntStream.of(four).mapToLong(each -> table.ipv4Value(each) | ~table.ipv4Mask(each)).toArray();
        this.source = pair(field(48, lowest, highest), field(32, lowest, highest));
        this.destination = pair(field(16, lowest, highest), field(0, lowest, highest));
        long[] least = IntStream.of(four).mapToLong(each -> table.at(each, RuleTable.LOWEST)).toArray();
        long[] most = IntStream.of(four).mapToLong(each -> table.at(each, RuleTable.HIGHEST) - PacketFacts.GUARDS).toArray();
        this.ports = pair(field(PacketFacts.DESTINATION_PORT, least, most), field(PacketFacts.SOURCE_PORT, least, most));
        this.kind = kinds(least, most);
        this.service = product(ports.product().sets(), kind.sets());
        this.path = product(source.product().sets(), destination.product().sets());
        this.first = firsts(path.sets(), service.sets(), four.length);
        this.ipv6 = new HyperSplitClassifier(table.ipv6());
    }

    /** Sweeps over the values at which boxes begin and end. */
    private static Field field(int shift, long[] lowest, long[] highest) throws EquivalenceClasses.TooMany {
        long[] turns = IntStream.range(0, lowest.length)
                .mapToLong(box -> (long) value(lowest[box], shift) << Integer.SIZE | box)
                .toArray();
        long[] ends = IntStream.range(0, lowest.length)
                .mapToLong(box -> value(highest[box], shift) + 1L << Integer.SIZE | box)
                .toArray();
        turns = LongStream.concat(LongStream.of(turns), LongStream.of(ends)).sorted().toArray();
        char[] classes = new char[VALUES];
        EquivalenceClasses sets = new EquivalenceClasses();
        BitSet open = new BitSet(lowest.length);
        int next = 0;
        for (int value = 0; value < VALUES; value++) {
            int before = next;
            for (; next < turns.length && turns[next] >>> Integer.SIZE == value; next++) {
                open.flip((int) turns[next]);
            }
            classes[value] = value > 0 && before == next ? classes[value - 1] : sets.number(open.stream().toArray());
        }
        return new Field(shift, classes, sets);
    }

    private static int value(long all, int shift) {
        return (int) (all >>> shift) & VALUES - 1;
    }

    /** Returns the field of protocol and flags, whose conditions are no ranges. */
    private static Field kinds(long[] lowest, long[] highest) throws EquivalenceClasses.TooMany {
        long ports = 0xffffL << PacketFacts.SOURCE_PORT | 0xffffL << PacketFacts.DESTINATION_PORT;
        char[] classes = new char[VALUES];
        EquivalenceClasses sets = new EquivalenceClasses();
        for (int bits = KIND_BITS; bits >= 0; bits = bits == 0 ? -1 : bits - 1 & KIND_BITS) {
            int kind = bits | KIND_GUARDS;
            long facts = PacketFacts.GUARDS | (long) kind << PacketFacts.PROTOCOL;
            classes[kind] = sets.number(IntStream.range(0, lowest.length)
                    .filter(box -> PacketFacts.miss(facts, lowest[box] & ~ports, (highest[box] | ports) + PacketFacts.GUARDS) == 0)
                    .toArray());
        }
        return new Field(PacketFacts.PROTOCOL, classes, sets);
    }

    private static Pair pair(Field high, Field low) throws EquivalenceClasses.TooMany {
        return new Pair(high, low, product(high.sets(), low.sets()));
    }

    private static Product product(EquivalenceClasses one, EquivalenceClasses other) throws EquivalenceClasses.TooMany {
        char[] table = table(one, other);
        EquivalenceClasses sets = new EquivalenceClasses();
        for (int i = 0; i < one.size(); i++) {
            for (int j = 0; j < other.size(); j++) {
                table[i * other.size() + j] = sets.number(EquivalenceClasses.common(one.set(i), other.set(j)));
            }
        }
        return new Product(other.size(), table, sets);
    }

    /** Returns the last table, whose classes are the first boxes themselves. */
    private static Product firsts(EquivalenceClasses one, EquivalenceClasses other, int none) throws EquivalenceClasses.TooMany {
        char[] table = table(one, other);
        for (int i = 0; i < one.size(); i++) {
            for (int j = 0; j < other.size(); j++) {
                int box = EquivalenceClasses.firstCommon(one.set(i), other.set(j));
                table[i * other.size() + j] = (char) (box < 0 ? none : box);
            }
        }
        return new Product(other.size(), table, new EquivalenceClasses());
    }

    private static char[] table(EquivalenceClasses one, EquivalenceClasses other) throws EquivalenceClasses.TooMany {
        long entries = (long) one.size() * other.size();
        long steps = one.size() * other.places() + other.size() * one.places();
        if (entries > FirewallLimits.PRODUCT_ENTRIES_MAX || steps > FirewallLimits.PRODUCT_STEPS_MAX) {
            throw new EquivalenceClasses.TooMany();
        }
        return new char[Integer.highestOneBit(2 * (int) entries - 1)];
    }

    @Override
    public void match(PacketKeys keys) {
        int count = keys.count();
        lookUp(source, keys.addresses, keys.path, count);
        lookUp(destination, keys.addresses, keys.other, count);
        join(path, keys.path, keys.other, count);
        lookUp(ports, keys.facts, keys.service, count);
        lookUp(kind, keys.facts, keys.other, count);
        join(service, keys.service, keys.other, count);
        if (find(keys, count) > 0) {
            ipv6.matchIpv6(keys);
        }
    }

    private static void lookUp(Pair pair, long[] from, int[] into, int count) {
        char[] high = pair.high.classes;
        char[] low = pair.low.classes;
        char[] table = pair.product.table;
        int highShift = pair.high.shift;
        int lowShift = pair.low.shift;
        int columns = pair.product.columns;
        for (int i = 0; i < count; i++) {
            int row = high[(int) (from[i] >>> highShift) & high.length - 1] * columns;
            into[i] = table[row + low[(int) (from[i] >>> lowShift) & low.length - 1] & table.length - 1];
        }
    }

    private static void lookUp(Field field, long[] from, int[] into, int count) {
        char[] classes = field.classes;
        int shift = field.shift;
        for (int i = 0; i < count; i++) {
            into[i] = classes[(int) (from[i] >>> shift) & classes.length - 1];
        }
    }

    private static void join(Product product, int[] one, int[] other, int count) {
        char[] table = product.table;
        int columns = product.columns;
        for (int i = 0; i < count; i++) {
            one[i] = table[one[i] * columns + other[i] & table.length - 1];
        }
    }

    /** Writes the rule of each IPv4 packet; returns the number of IPv6 packets. */
    private int find(PacketKeys keys, int count) {
        char[] table = first.table;
        int columns = first.columns;
        int others = 0;
        for (int i = 0; i < count; i++) {
            long facts = keys.facts[i];
            if ((facts & PacketFacts.IPV6) != 0) {
                others++;
            } else if (facts != 0) {
                keys.found[i] = ruleOf[table[keys.path[i] * columns + keys.service[i] & table.length - 1]];
            }
        }
        return others;
    }

    @Override
    public boolean wantsRows() {
        return false;
    }
}
