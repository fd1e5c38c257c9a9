package io.guidepost.middlebox.firewall;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Finds the first rule of an IPv4 packet by tables alone (recursive flow classification: Gupta, McKeown, "Packet
 * Classification on Multiple Fields", SIGCOMM 1999). Each value of a field leads to the class of all values that fit the
 * same boxes; the classes of two fields lead, through the table of their product, to the class of both, until one
 * class is left, which is the answer. So that a packet costs the same with ten rules and with ten thousand, but for the
 * caches.
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
 * <p>A burst is looked up step by step: each is a small loop, of which the compiler makes few instructions, and the loads of
 * one packet do not wait for those of another. Arrays have powers of two and indices are masked, so that it leaves out the
 * comparisons with their bounds too.
 *
 * <p>Products can grow as the square of the rules and more, if each asks for other sources, destinations and ports in
 * every combination. They are bounded, and {@link #of} says when they do not fit. IPv6 packets are left to a
 * {@link RuleTree}.
 */
final class RuleProducts implements Matcher {
    private static final int VALUES = 1 << 16;

    /** Bits of the protocol's field that differ: the guards between them are always set, and the highest is IPv6. */
    private static final int KIND_BITS =
            (int) ((Facts.HAS_PORTS | Facts.ESTABLISHED | Facts.LATER_FRAGMENT) >>> Facts.PROTOCOL) | 0xff;

    private static final int KIND_GUARDS = (int) (Facts.GUARDS >>> Facts.PROTOCOL) & VALUES - 1;

    private final Pair source;
    private final Pair destination;
    private final Pair ports;
    private final Field kind;
    private final Product service;
    private final Product path;
    private final Product first;

    /** The rule of each box, and behind them what is found if none fits. */
    private final int[] ruleOf;

    private final RuleTree ipv6;

    /** The class of each value of a field. */
    private record Field(int shift, char[] classes, BoxSets sets) {}

    /** What the classes of two fields lead to; a row for each class of the first. */
    private record Product(int columns, char[] table, BoxSets sets) {}

    /** Two fields of one number, and their product. */
    private record Pair(Field high, Field low, Product product) {}

    /** The tables of some boxes; nothing if they would take more than {@link Limits} allows. */
    static Optional<RuleProducts> of(RuleTable table) {
        if (table.size() > Limits.PRODUCT_BOXES_MAX) {
            return Optional.empty();
        }
        try {
            return Optional.of(new RuleProducts(table));
        } catch (BoxSets.TooMany e) {
            return Optional.empty();
        }
    }

    private RuleProducts(RuleTable table) throws BoxSets.TooMany {
        int[] four = IntStream.range(0, table.size()).filter(table::fitsIpv4).toArray();
        this.ruleOf = Arrays.copyOf(IntStream.of(four).map(table::rule).toArray(), four.length + 1);
        ruleOf[four.length] = table.rules();
        long[] lowest = IntStream.of(four).mapToLong(table::ipv4Value).toArray();
        long[] highest = IntStream.of(four).mapToLong(each -> table.ipv4Value(each) | ~table.ipv4Mask(each)).toArray();
        this.source = pair(field(48, lowest, highest), field(32, lowest, highest));
        this.destination = pair(field(16, lowest, highest), field(0, lowest, highest));
        long[] least = IntStream.of(four).mapToLong(each -> table.at(each, RuleTable.LOWEST)).toArray();
        long[] most = IntStream.of(four).mapToLong(each -> table.at(each, RuleTable.HIGHEST) - Facts.GUARDS).toArray();
        this.ports = pair(field(Facts.DESTINATION_PORT, least, most), field(Facts.SOURCE_PORT, least, most));
        this.kind = kinds(least, most);
        this.service = product(ports.product().sets(), kind.sets());
        this.path = product(source.product().sets(), destination.product().sets());
        this.first = firsts(path.sets(), service.sets(), four.length);
        this.ipv6 = new RuleTree(table.ipv6());
    }

    /** Goes over the values at which boxes begin and end. */
    private static Field field(int shift, long[] lowest, long[] highest) throws BoxSets.TooMany {
        long[] turns = IntStream.range(0, lowest.length)
                .mapToLong(box -> (long) value(lowest[box], shift) << Integer.SIZE | box)
                .toArray();
        long[] ends = IntStream.range(0, lowest.length)
                .mapToLong(box -> value(highest[box], shift) + 1L << Integer.SIZE | box)
                .toArray();
        turns = LongStream.concat(LongStream.of(turns), LongStream.of(ends)).sorted().toArray();
        char[] classes = new char[VALUES];
        BoxSets sets = new BoxSets();
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

    /** The field of protocol and flags, in which what a box asks is no range. */
    private static Field kinds(long[] lowest, long[] highest) throws BoxSets.TooMany {
        long ports = 0xffffL << Facts.SOURCE_PORT | 0xffffL << Facts.DESTINATION_PORT;
        char[] classes = new char[VALUES];
        BoxSets sets = new BoxSets();
        for (int bits = KIND_BITS; bits >= 0; bits = bits == 0 ? -1 : bits - 1 & KIND_BITS) {
            int kind = bits | KIND_GUARDS;
            long facts = Facts.GUARDS | (long) kind << Facts.PROTOCOL;
            classes[kind] = sets.number(IntStream.range(0, lowest.length)
                    .filter(box -> Facts.miss(facts, lowest[box] & ~ports, (highest[box] | ports) + Facts.GUARDS) == 0)
                    .toArray());
        }
        return new Field(Facts.PROTOCOL, classes, sets);
    }

    private static Pair pair(Field high, Field low) throws BoxSets.TooMany {
        return new Pair(high, low, product(high.sets(), low.sets()));
    }

    private static Product product(BoxSets one, BoxSets other) throws BoxSets.TooMany {
        char[] table = table(one, other);
        BoxSets sets = new BoxSets();
        for (int i = 0; i < one.size(); i++) {
            for (int j = 0; j < other.size(); j++) {
                table[i * other.size() + j] = sets.number(BoxSets.common(one.set(i), other.set(j)));
            }
        }
        return new Product(other.size(), table, sets);
    }

    /** The last product, whose classes are the first boxes themselves. */
    private static Product firsts(BoxSets one, BoxSets other, int none) throws BoxSets.TooMany {
        char[] table = table(one, other);
        for (int i = 0; i < one.size(); i++) {
            for (int j = 0; j < other.size(); j++) {
                int box = BoxSets.firstCommon(one.set(i), other.set(j));
                table[i * other.size() + j] = (char) (box < 0 ? none : box);
            }
        }
        return new Product(other.size(), table, new BoxSets());
    }

    private static char[] table(BoxSets one, BoxSets other) throws BoxSets.TooMany {
        long entries = (long) one.size() * other.size();
        long steps = one.size() * other.places() + other.size() * one.places();
        if (entries > Limits.PRODUCT_ENTRIES_MAX || steps > Limits.PRODUCT_STEPS_MAX) {
            throw new BoxSets.TooMany();
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

    /** Notes the rule of each IPv4 packet; how many packets of IPv6 there are. */
    private int find(PacketKeys keys, int count) {
        char[] table = first.table;
        int columns = first.columns;
        int others = 0;
        for (int i = 0; i < count; i++) {
            long facts = keys.facts[i];
            if ((facts & Facts.IPV6) != 0) {
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

    @Override
    public long bytes() {
        List<Product> products = List.of(source.product, destination.product, ports.product, service, path, first);
        long entries = products.stream().mapToLong(each -> each.table.length).sum();
        return 2 * (entries + 7L * VALUES) + 4L * ruleOf.length + ipv6.bytes();
    }
}
