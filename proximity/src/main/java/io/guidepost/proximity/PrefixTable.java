package io.guidepost.proximity;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * An immutable snapshot that maps addresses to announced blocks by longest-prefix match, and blocks to a value (an AS
 * number), for IPv4 and IPv6. Any thread may use it; lookups allocate nothing, unless a method says otherwise.
 *
 * <p>A lookup returns a class: a small number, from 1, for each distinct value, so that a caller can index an array by
 * it. 0 means that no prefix matches.
 */
public final class PrefixTable {
    /** Class of an address that no prefix matches. */
    public static final int NONE = 0;

    private final Prefixes.Family ipv4;
    private final Prefixes.Family ipv6;
    private final int[] values;
    private final Poptrie ipv4Trie;
    private final Poptrie ipv6Trie;
    private final long ipv4Matched;
    private final XorNearest outermost;
    private final byte[] outermostLength;

    private PrefixTable(Prefixes.Family ipv4, Prefixes.Family ipv6) {
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
        this.values = distinct(ipv4.value, ipv6.value);
        MatchRanges ipv4Ranges = MatchRanges.of(ipv4, classes(ipv4.value, values));
        this.ipv4Trie = Poptrie.of(ipv4Ranges, Poptrie.IPV4_DIRECT_BITS);
        this.ipv4Matched = ipv4Ranges.ipv4Matched();
        this.ipv6Trie = Poptrie.of(MatchRanges.of(ipv6, classes(ipv6.value, values)), Poptrie.IPV6_DIRECT_BITS);
        int[] bases = new int[ipv4.size];
        this.outermostLength = new byte[ipv4.size];
        this.outermost = XorNearest.of(Arrays.copyOf(bases, outermost(ipv4, bases, outermostLength)));
    }

    /** A prefix and its value, unsigned 32 bits. */
    public record Entry(Prefix prefix, long value) {}

    /** Builds a table; of repeated prefixes the later one counts. */
    public static PrefixTable of(Prefixes prefixes) {
        return new PrefixTable(prefixes.ipv4.sorted(), prefixes.ipv6.sorted());
    }

    /** Returns a table of the prefixes whose value passes a test. */
    public PrefixTable only(LongPredicate wanted) {
        return new PrefixTable(only(ipv4, wanted), only(ipv6, wanted));
    }

    private static Prefixes.Family only(Prefixes.Family all, LongPredicate wanted) {
        Prefixes.Family some = new Prefixes.Family();
        for (int i = 0; i < all.size; i++) {
            if (wanted.test(Integer.toUnsignedLong(all.value[i]))) {
                some.add(all.high[i], all.low[i], all.length(i), all.value[i]);
            }
        }
        some.trim();
        return some;
    }

    private static int[] distinct(int[] some, int[] more) {
        int[] all = Arrays.copyOf(some, some.length + more.length);
        System.arraycopy(more, 0, all, some.length, more.length);
        Arrays.sort(all);
        int count = 0;
        for (int i = 0; i < all.length; i++) {
            if (count == 0 || all[i] != all[count - 1]) {
                all[count++] = all[i];
            }
        }
        return Arrays.copyOf(all, count);
    }

    private static int[] classes(int[] of, int[] values) {
        return Arrays.stream(of).map(each -> 1 + Arrays.binarySearch(values, each)).toArray();
    }

    /** Collects the blocks that lie in no other, and returns their number. */
    private static int outermost(Prefixes.Family sorted, int[] bases, byte[] lengths) {
        int count = 0;
        int last = -1;
        for (int i = 0; i < sorted.size; i++) {
            if (last < 0 || (sorted.high[i] & Addresses.highMask(sorted.length(last))) != sorted.high[last]) {
                bases[count] = (int) (sorted.high[i] >>> 32);
                lengths[count++] = sorted.length[i];
                last = i;
            }
        }
        return count;
    }

    /** Returns the class of the longest match of an IPv4 address, or {@link #NONE}. */
    public int findIpv4(int address) {
        return ipv4Trie.find((long) address << 32, 0);
    }

    /** Returns the class of the longest match of an address, IPv4 in mapped form, or {@link #NONE}. */
    public int find(long high, long low) {
        return Addresses.isIpv4(high, low) ? ipv4Trie.find(low << 32, 0) : ipv6Trie.find(high, low);
    }

    /** Returns the value of a class, unsigned 32 bits. */
    public long value(int found) {
        return Integer.toUnsignedLong(values[found - 1]);
    }

    /** Returns the number of classes: distinct values. */
    public int classes() {
        return values.length;
    }

    /**
     * Returns the announced IPv4 address nearest to an address by XOR, over all addresses of all blocks; the address
     * itself if it is announced, or if the table has no IPv4 prefix.
     *
     * <p>Outermost blocks are disjoint, so any two of them differ in a bit within the prefixes of both; the block whose
     * base is nearer by XOR thus has the nearest address too. So comparing bases suffices.
     */
    public int nearestIpv4(int address) {
        int at = outermost.find(address);
        if (at < 0) {
            return address;
        }
        int length = outermostLength[at];
        int mask = length == 0 ? 0 : -1 << (32 - length);
        return outermost.key(at) | address & ~mask;
    }

    /** Returns the longest matching prefix of an address, IPv4 in mapped form, for explanations. Allocates. */
    public Optional<Prefix> longest(long high, long low) {
        boolean isIpv4 = Addresses.isIpv4(high, low);
        int at = isIpv4 ? ipv4.longest(low << 32, 0, Integer.SIZE) : ipv6.longest(high, low, 128);
        return at < 0 ? Optional.empty() : Optional.of(entry(isIpv4 ? at : ipv4.size + at).prefix());
    }

    /** Returns the number of distinct prefixes of both families. */
    public int size() {
        return ipv4.size + ipv6.size;
    }

    /** Returns the number of distinct IPv4 prefixes; in the order of {@link #entry} they come first. */
    public int ipv4Size() {
        return ipv4.size;
    }

    /** Returns a prefix by its index in the order of bases, from 0, shorter ones first. */
    public Entry entry(int at) {
        if (at < ipv4.size) {
            return new Entry(
                    Prefix.ofIpv4((int) (ipv4.high[at] >>> 32), ipv4.length(at)),
                    Integer.toUnsignedLong(ipv4.value[at]));
        }
        int there = at - ipv4.size;
        return new Entry(
                new Prefix(ipv6.high[there], ipv6.low[there], ipv6.length(there)),
                Integer.toUnsignedLong(ipv6.value[there]));
    }

    /** Returns the announced share of all IPv4 addresses, from 0 to 1. */
    public double ipv4Share() {
        return (double) ipv4Matched / (1L << 32);
    }

    /** Returns the bytes of the two tries, which lookups touch. */
    public long trieBytes() {
        return ipv4Trie.bytes() + ipv6Trie.bytes();
    }
}
