package io.guidepost.proximity;

import io.guidepost.base.Prefix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Generates IPv4 prefix tables like the Internet's of about 2012, for measurements without a real one: half of the
 * address space announced, half of the prefixes nested in others, lengths and shares of ASes as counted in a table of
 * 306,388 prefixes. One seed gives one table.
 *
 * <p>Prefixes are placed by rising length, either in free space, or inside a shorter prefix, mostly of the same AS and
 * sometimes with the same base.
 */
public final class PrefixTableGenerator {
    /** Prefixes of the table that was counted. */
    public static final int PREFIXES = 306_388;

    /** ASes of its topology. */
    public static final int ASES = 26_424;

    /** The count of one length: prefixes, and how many of a hundred are nested. */
    private record Counted(int length, int count, int nestedPercent) {}

    private static final List<Counted> COUNTED = List.of(
            new Counted(8, 15, 0),
            new Counted(9, 9, 89),
            new Counted(10, 25, 0),
            new Counted(11, 68, 6),
            new Counted(12, 207, 8),
            new Counted(13, 427, 18),
            new Counted(14, 718, 11),
            new Counted(15, 1_301, 18),
            new Counted(16, 10_443, 19),
            new Counted(17, 5_308, 36),
            new Counted(18, 8_826, 41),
            new Counted(19, 17_987, 34),
            new Counted(20, 22_542, 39),
            new Counted(21, 22_307, 47),
            new Counted(22, 29_273, 54),
            new Counted(23, 28_010, 55),
            new Counted(24, 156_291, 55),
            new Counted(25, 905, 97),
            new Counted(26, 1_008, 99),
            new Counted(27, 527, 100),
            new Counted(28, 165, 100),
            new Counted(29, 15, 100),
            new Counted(30, 3, 100),
            new Counted(32, 8, 100));

    private static final int SAME_AS_PERCENT = 70;
    private static final int SAME_BASE_PERCENT = 10;

    /** Unicast space: 1.0.0.0 up to 224.0.0.0. */
    private static final long FIRST = 1L << 24;

    private static final long END = 224L << 24;

    /** The share of an AS falls with its rank as (rank + 12) to the power of -1.05. */
    private static final double RANK_OFFSET = 12;

    private static final double RANK_EXPONENT = -1.05;

    private record Block(long base, int length, int as) {
        long size() {
            return 1L << (32 - length);
        }
    }

    private final SplittableRandom random;
    private final double[] asShares;
    private final List<Block> blocks = new ArrayList<>();

    /** Blocks inside no other: base to end. */
    private final TreeMap<Long, Long> taken = new TreeMap<>();

    private final Set<Long> known = new HashSet<>();

    private PrefixTableGenerator(long seed, int ases) {
        random = new SplittableRandom(seed);
        asShares = new double[ases];
        double sum = 0;
        for (int rank = 0; rank < ases; rank++) {
            sum += Math.pow(rank + RANK_OFFSET, RANK_EXPONENT);
            asShares[rank] = sum;
        }
    }

    /**
     * Generates a table.
     *
     * @param seed the same seed gives the same table
     * @param prefixes approximate number, from 1 to {@link #PREFIXES}
     * @param ases most ASes that share them, numbered from 1
     */
    public static Prefixes generate(long seed, int prefixes, int ases) {
        if (prefixes < 1 || prefixes > PREFIXES || ases < 1) {
            throw new IllegalArgumentException("from 1 to " + PREFIXES + " prefixes of at least 1 AS, not " + prefixes
                    + " of " + ases);
        }
        PrefixTableGenerator generator = new PrefixTableGenerator(seed, ases);
        for (Counted each : COUNTED) {
            generator.place(each, (int) Math.round((double) each.count * prefixes / PREFIXES));
        }
        Prefixes.Builder builder = Prefixes.builder();
        generator.blocks.stream()
                .sorted((left, right) -> left.base != right.base
                        ? Long.compare(left.base, right.base)
                        : Integer.compare(left.length, right.length))
                .forEach(block -> builder.add(Prefix.ofIpv4((int) block.base, block.length), block.as));
        return builder.build();
    }

    private void place(Counted kind, int count) {
        int shorter = blocks.size();
        for (int placed = 0; placed < count; ) {
            boolean nested = shorter > 0 && random.nextInt(100) < kind.nestedPercent;
            Block block = nested ? inside(blocks.get(random.nextInt(shorter)), kind.length) : free(kind.length);
            if (known.add(block.base << 6 | block.length)) {
                blocks.add(block);
                placed++;
            }
        }
    }

    private Block inside(Block outer, int length) {
        boolean sameBase = random.nextInt(100) < SAME_BASE_PERCENT;
        long step = 1L << (32 - length);
        long base = sameBase ? outer.base : outer.base + step * random.nextLong(outer.size() / step);
        return new Block(base, length, random.nextInt(100) < SAME_AS_PERCENT ? outer.as : as());
    }

    private Block free(int length) {
        long size = 1L << (32 - length);
        while (true) {
            long base = random.nextLong(FIRST / size, END / size) * size;
            Map.Entry<Long, Long> before = taken.lowerEntry(base + size);
            if (base >= FIRST && (before == null || before.getValue() <= base)) {
                taken.put(base, base + size);
                return new Block(base, length, as());
            }
        }
    }

    private int as() {
        double share = random.nextDouble() * asShares[asShares.length - 1];
        int at = Arrays.binarySearch(asShares, share);
        return 1 + (at < 0 ? ~at : at);
    }
}
