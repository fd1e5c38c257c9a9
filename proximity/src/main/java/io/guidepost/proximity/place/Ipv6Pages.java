package io.guidepost.proximity.place;

import io.guidepost.base.Address;
import io.guidepost.proximity.MatchRanges;
import io.guidepost.proximity.Prefixes;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The places of IPv6: one {@link Ipv6Page} per /16, so that a change rebuilds one of them and shares the others.
 * Immutable.
 */
final class Ipv6Pages {
    private static final int BITS = 16;
    private static final int COUNT = 1 << BITS;

    static final Ipv6Pages EMPTY = new Ipv6Pages(new long[COUNT][]);

    static {
        Arrays.fill(EMPTY.pages, uniform(PlaceTable.NOWHERE));
    }

    private final long[][] pages;

    private Ipv6Pages(long[][] pages) {
        this.pages = pages;
    }

    int find(long high, long low) {
        return Ipv6Page.find(pages[(int) (high >>> (Long.SIZE - BITS))], high, low);
    }

    long bytes() {
        Set<long[]> different = Collections.newSetFromMap(new IdentityHashMap<>());
        Collections.addAll(different, pages);
        return 4L * COUNT + different.stream().mapToLong(page -> 8L * page.length).sum();
    }

    private static long[] uniform(int place) {
        Prefixes.Family whole = new Prefixes.Family();
        whole.add(0, 0, 0, place);
        return Ipv6Page.of(MatchRanges.of(whole, whole.value));
    }

    /** Marks the pages that a change touches. */
    static void mark(boolean[] stale, long high, int length) {
        int first = (int) (high >>> (Long.SIZE - BITS));
        Arrays.fill(stale, first, first + (length >= BITS ? 1 : 1 << (BITS - length)), true);
    }

    /** Returns marks of which none is set. */
    static boolean[] fresh() {
        return new boolean[COUNT];
    }

    /** Builds the next pages: stale ones are rebuilt from all prefixes and loop-back addresses. */
    Ipv6Pages next(boolean[] stale, Prefixes.Family prefixes, LoopbackPlaces loopBacks) {
        long[][] next = pages.clone();
        Map<Integer, long[]> uniform = new HashMap<>();
        int from = 0;
        for (int page = 0; page < COUNT; page++) {
            while (from < prefixes.size && prefixes.high[from] >>> (Long.SIZE - BITS) < page) {
                from++;
            }
            if (stale[page]) {
                next[page] = page(page, from, prefixes, loopBacks, uniform);
            }
        }
        return new Ipv6Pages(next);
    }

    private static long[] page(
            int page, int from, Prefixes.Family prefixes, LoopbackPlaces loopBacks, Map<Integer, long[]> uniform) {
        long base = (long) page << (Long.SIZE - BITS);
        int at = prefixes.longest(base, 0, BITS - 1);
        int around = at < 0 ? PlaceTable.NOWHERE : prefixes.value[at];
        int loopBack = loopBacks.firstAt(base);
        boolean empty = from == prefixes.size || prefixes.high[from] >>> (Long.SIZE - BITS) != page;
        if (empty && (loopBack == loopBacks.size() || loopBacks.high()[loopBack] >>> (Long.SIZE - BITS) != page)) {
            return uniform.computeIfAbsent(around, Ipv6Pages::uniform);
        }
        Prefixes.Family inside = inside(page, from, prefixes, around);
        MatchRanges ranges = MatchRanges.of(inside, inside.value);
        Prefixes.Family more = loopBacks(page, ranges, loopBacks, loopBack);
        if (more.size > 0) {
            for (int i = 0; i < inside.size; i++) {
                more.add(inside.high[i], inside.low[i], inside.length(i), inside.value[i]);
            }
            inside = more.sorted();
            ranges = MatchRanges.of(inside, inside.value);
        }
        return ranges.size == 1
                ? uniform.computeIfAbsent(ranges.kind[0], Ipv6Pages::uniform)
                : Ipv6Page.of(ranges);
    }

    /** Returns the prefixes of a page without its bits, preceded by those that enclose the page. */
    private static Prefixes.Family inside(int page, int from, Prefixes.Family prefixes, int around) {
        Prefixes.Family inside = new Prefixes.Family();
        inside.add(0, 0, 0, around);
        for (int i = from; i < prefixes.size && prefixes.high[i] >>> (Long.SIZE - BITS) == page; i++) {
            if (prefixes.length(i) >= BITS) {
                add(inside, prefixes.high[i], prefixes.low[i], prefixes.length(i), prefixes.value[i]);
            }
        }
        if (inside.size > 1 && inside.length(1) == 0) {
            // A prefix that is the whole page hides what is around it.
            inside.value[0] = inside.value[1];
        }
        return inside;
    }

    private static void add(Prefixes.Family to, long high, long low, int length, int place) {
        to.add(high << BITS | low >>> (Long.SIZE - BITS), low << BITS, length - BITS, place);
    }

    /** Returns the loop-back addresses of a page that are in no prefix. */
    private static Prefixes.Family loopBacks(int page, MatchRanges ranges, LoopbackPlaces all, int first) {
        Prefixes.Family some = new Prefixes.Family();
        for (int i = first; i < all.size() && all.high()[i] >>> (Long.SIZE - BITS) == page; i++) {
            long high = all.high()[i];
            long low = all.low()[i];
            boolean open = ranges.kindOf(high << BITS | low >>> (Long.SIZE - BITS), low << BITS) == PlaceTable.NOWHERE;
            if (open && !new Address(high, low).isIpv4()) {
                add(some, high, low, 128, all.places()[i]);
            }
        }
        return some;
    }
}
