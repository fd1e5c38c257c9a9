package io.guidepost.middlebox.firewall;

import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Bit vector classification of IPv4 packets: each value of a field maps to a vector of the rules that it matches, the
 * vectors of all fields are ANDed, and the first set bit is the first matching rule (Lakshman, Stiliadis, "High-Speed
 * Policy-Based Packet Forwarding Using Efficient Multi-Dimensional Range Matching", SIGCOMM 1998).
 *
 * <p>Fields are the seven pieces of 16 bits of a packet's two longs: the halves of both addresses, which a prefix
 * constrains independently, the ports, and protocol with flags. Each has a table of all 65,536 values, so that nothing
 * is searched. Equal vectors are stored once, as their class.
 *
 * <pre>
 *  addresses >>> 48, 32, 16, 0   facts >>> 34, 17, 0      classes[field &lt;&lt; 16 | value] is a class
 *                                                         vectors[class * words ...] are the words of its vector
 * </pre>
 *
 * <p>A burst is looked up field by field, and then ANDed packet by packet, in small loops; a single loop takes more
 * than twice the time. Sizes of arrays are powers of two and indices are masked, so that the compiler removes bounds
 * checks.
 *
 * <p>It serves rules whose {@link RfcClassifier} would be too large. The vectors grow with the square of the number of
 * rules, which bounds it. A {@link HyperSplitClassifier} classifies IPv6 packets.
 */
final class BitVectorClassifier implements PacketClassifier {
    private static final int FIELDS = 7;
    private static final int VALUES = 1 << 16;
    private static final int[] ADDRESS_SHIFTS = {48, 32, 16, 0};
    private static final int[] FACT_SHIFTS = {PacketFacts.PROTOCOL, PacketFacts.DESTINATION_PORT, PacketFacts.SOURCE_PORT};
    private static final int PROTOCOL_FIELD = 4;

    /** Bits of the protocol's field that vary: the guards between them are always set, and the highest is IPv6. */
    private static final int KIND_BITS =
            (int) ((PacketFacts.HAS_PORTS | PacketFacts.ESTABLISHED | PacketFacts.LATER_FRAGMENT) >>> PacketFacts.PROTOCOL) | 0xff;

    private static final int KIND_GUARDS = (int) (PacketFacts.GUARDS >>> PacketFacts.PROTOCOL) & VALUES - 1;

    /** Bits in a pair of words. */
    private static final int PAIR = 2 * Long.SIZE;

    private final int words;
    private final int wordShift;
    private final char[][] classes = new char[FIELDS][VALUES];
    private final long[] vectors;

    /** The rule of each bit, and behind them the default. */
    private final int[] ruleOf;

    private final HyperSplitClassifier ipv6;

    BitVectorClassifier(RuleTable table) {
        int[] four = IntStream.range(0, table.size()).filter(table::fitsIpv4).toArray();
        this.words = Math.max(2, Integer.highestOneBit(2 * (four.length + Long.SIZE - 1 >> 6) - 1));
        this.wordShift = Integer.numberOfTrailingZeros(words);
        this.ruleOf = new int[(words << 6) + 1];
        for (int bit = 0; bit < four.length; bit++) {
            ruleOf[bit] = table.rule(four[bit]);
        }
        ruleOf[words << 6] = table.rules();
        Map<LongBuffer, Character> known = new HashMap<>();
        for (int field = 0; field < FIELDS; field++) {
            classify(table, four, field, known);
        }
        this.vectors = new long[Integer.highestOneBit(2 * (known.size() << wordShift) - 1)];
        known.forEach((vector, number) -> vector.get(0, vectors, number << wordShift, words));
        this.ipv6 = new HyperSplitClassifier(table.ipv6());
    }

    /** Fills the table of a field. */
    private void classify(RuleTable table, int[] four, int field, Map<LongBuffer, Character> known) {
        char[] into = classes[field];
        if (field == PROTOCOL_FIELD) {
            for (int kind = KIND_BITS; kind >= 0; kind = kind == 0 ? -1 : kind - 1 & KIND_BITS) {
                into[kind | KIND_GUARDS] = number(table, four, field, kind | KIND_GUARDS, known);
            }
            return;
        }
        int[] bounds = IntStream.concat(
                        IntStream.of(0),
                        IntStream.of(four)
                                .flatMap(entry -> IntStream.of(lowest(table, entry, field), highest(table, entry, field) + 1)))
                .filter(bound -> bound < VALUES)
                .sorted()
                .distinct()
                .toArray();
        for (int i = 0; i < bounds.length; i++) {
            char number = number(table, four, field, bounds[i], known);
            Arrays.fill(into, bounds[i], i + 1 < bounds.length ? bounds[i + 1] : VALUES, number);
        }
    }

    /** Returns the class of a value of a field. */
    private char number(RuleTable table, int[] four, int field, int value, Map<LongBuffer, Character> known) {
        long[] vector = new long[words];
        for (int bit = 0; bit < four.length; bit++) {
            boolean fits = field == PROTOCOL_FIELD
                    ? fitsKind(table, four[bit], value)
                    : lowest(table, four[bit], field) <= value && value <= highest(table, four[bit], field);
            vector[bit >> 6] |= fits ? 1L << bit : 0;
        }
        return known.computeIfAbsent(LongBuffer.wrap(vector), each -> (char) known.size());
    }

    private static int lowest(RuleTable table, int entry, int field) {
        long all = field < PROTOCOL_FIELD
                ? table.ipv4Value(entry) >>> ADDRESS_SHIFTS[field]
                : table.at(entry, RuleTable.LOWEST) >>> FACT_SHIFTS[field - PROTOCOL_FIELD];
        return (int) all & VALUES - 1;
    }

    private static int highest(RuleTable table, int entry, int field) {
        long all = field < PROTOCOL_FIELD
                ? (table.ipv4Value(entry) | ~table.ipv4Mask(entry)) >>> ADDRESS_SHIFTS[field]
                : table.at(entry, RuleTable.HIGHEST) - PacketFacts.GUARDS >>> FACT_SHIFTS[field - PROTOCOL_FIELD];
        return (int) all & VALUES - 1;
    }

    private static boolean fitsKind(RuleTable table, int entry, int kind) {
        long ports = 0xffffL << PacketFacts.SOURCE_PORT | 0xffffL << PacketFacts.DESTINATION_PORT;
        long lowest = table.at(entry, RuleTable.LOWEST) & ~ports;
        long highest = table.at(entry, RuleTable.HIGHEST) - PacketFacts.GUARDS | ports;
        return PacketFacts.miss(PacketFacts.GUARDS | (long) kind << PacketFacts.PROTOCOL, lowest, highest + PacketFacts.GUARDS) == 0;
    }

    @Override
    public void match(PacketKeys keys) {
        int count = keys.count();
        for (int field = 0; field < FIELDS; field++) {
            if (field < PROTOCOL_FIELD) {
                lookUp(classes[field], keys.addresses, ADDRESS_SHIFTS[field], keys.classes, field, count);
            } else {
                lookUp(classes[field], keys.facts, FACT_SHIFTS[field - PROTOCOL_FIELD], keys.classes, field, count);
            }
        }
        if (join(keys, count) > 0) {
            ipv6.matchIpv6(keys);
        }
    }

    /** Writes the index in {@link #vectors} of each packet's vector of a field. */
    private void lookUp(char[] table, long[] from, int shift, int[] into, int field, int count) {
        int places = wordShift;
        for (int i = 0; i < count; i++) {
            into[(i << PacketKeys.ROW_SHIFT) + field] = table[(int) (from[i] >>> shift) & table.length - 1] << places;
        }
    }

    /** ANDs the vectors of each IPv4 packet; returns the number of IPv6 packets. */
    private int join(PacketKeys keys, int count) {
        int others = 0;
        for (int i = 0; i < count; i++) {
            long facts = keys.facts[i];
            if ((facts & PacketFacts.IPV6) != 0) {
                others++;
            } else if (facts != 0) {
                keys.found[i] = first(keys.classes, i << PacketKeys.ROW_SHIFT);
            }
        }
        return others;
    }

    private int first(int[] at, int row) {
        int bit = firstOfPair(at, row, 0);
        int word = 0;
        while (word + 2 < words && bit == PAIR) {
            word += 2;
            bit = firstOfPair(at, row, word);
        }
        return ruleOf[(word << 6) + bit];
    }

    /** Returns the first set bit of two words; branch-free, as it is unpredictable which has it. */
    private int firstOfPair(int[] at, int row, int word) {
        int one = Long.numberOfTrailingZeros(fit(at, row, word));
        int other = Long.numberOfTrailingZeros(fit(at, row, word + 1));
        return one + (other & -(one >>> 6));
    }

    private long fit(int[] at, int row, int word) {
        long[] all = vectors;
        int last = all.length - 1;
        return all[at[row] + word & last]
                & all[at[row + 1] + word & last]
                & all[at[row + 2] + word & last]
                & all[at[row + 3] + word & last]
                & all[at[row + 4] + word & last]
                & all[at[row + 5] + word & last]
                & all[at[row + 6] + word & last];
    }

    @Override
    public boolean wantsRows() {
        return false;
    }

    @Override
    public long bytes() {
        return 8L * vectors.length + 2L * FIELDS * VALUES + 4L * ruleOf.length + ipv6.bytes();
    }
}
