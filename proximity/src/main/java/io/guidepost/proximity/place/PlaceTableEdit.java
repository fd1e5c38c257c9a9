package io.guidepost.proximity.place;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.Prefixes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Collects the changes for the next {@link PlaceTable}. Not thread-safe. */
public final class PlaceTableEdit {
    private static final char[][] NO_PAGES = {};

    private final PlaceTable old;
    private final Ipv4Columns.Changes ipv4Changes = new Ipv4Columns.Changes();
    private final Prefixes.Family ipv6Changes = new Prefixes.Family();
    private int[] ipv6Systems = new int[16];
    private LoopbackPlaces loopBacks;
    private int placeMax;

    PlaceTableEdit(PlaceTable old) {
        this.old = old;
        this.loopBacks = old.loopBacks;
        this.placeMax = old.placeMax;
    }

    /** Returns a table without prefixes, from which all others derive. */
    static PlaceTable empty() {
        Ipv4Columns[] none = new Ipv4Columns[Ipv4Page.COUNT];
        Arrays.fill(none, Ipv4Columns.EMPTY);
        char[][] pages = new char[Ipv4Page.COUNT][];
        Arrays.fill(pages, Ipv4Page.uniform(PlaceTable.NOWHERE));
        return new PlaceTable(new PlaceTable.Parts(
                pages, Ipv4Base.NONE, 0, null, Ipv6Pages.EMPTY, none, Ipv4Columns.EMPTY, Ipv6Columns.EMPTY, LoopbackPlaces.NONE));
    }

    /**
     * Sets the place of a prefix; of several calls for one prefix the last counts.
     *
     * @param place from 1
     * @param asNumber unsigned 32 bits, for explanations
     */
    public void put(Prefix prefix, int place, long asNumber) {
        if (place < 1) {
            throw new IllegalArgumentException("places are numbered from 1: " + place);
        }
        placeMax = Math.max(placeMax, place);
        change(prefix, place, (int) asNumber);
    }

    /** Removes a prefix, if it is there. */
    public void remove(Prefix prefix) {
        change(prefix, Ipv4Columns.Changes.GONE, 0);
    }

    private void change(Prefix prefix, int place, int system) {
        if (prefix.isIpv4()) {
            ipv4Changes.add(Ipv4Columns.key((int) prefix.low(), prefix.length() - 96), place, system);
            return;
        }
        if (ipv6Changes.size == ipv6Systems.length) {
            ipv6Systems = Arrays.copyOf(ipv6Systems, 2 * ipv6Systems.length);
        }
        ipv6Systems[ipv6Changes.size] = system;
        ipv6Changes.add(prefix.high(), prefix.low(), prefix.length(), place);
    }

    /** Sets the addresses that have places of their own where no prefix matches; they replace earlier ones. */
    public void loopBacks(List<Address> addresses, int[] places) {
        int[] order = IntStream.range(0, addresses.size())
                .boxed()
                .sorted((left, right) -> addresses.get(left).compareTo(addresses.get(right)))
                .mapToInt(Integer::intValue)
                .toArray();
        loopBacks = new LoopbackPlaces(
                Arrays.stream(order).mapToLong(each -> addresses.get(each).high()).toArray(),
                Arrays.stream(order).mapToLong(each -> addresses.get(each).low()).toArray(),
                Arrays.stream(order).map(each -> places[each]).toArray());
        placeMax = Math.max(placeMax, Arrays.stream(places).max().orElse(0));
    }

    /** Builds the snapshot; the edit must not be used any more. */
    public PlaceTable build() {
        boolean[] stale = new boolean[Ipv4Page.COUNT];
        boolean otherLoopBacks = !loopBacks.same(old.loopBacks);
        if (otherLoopBacks) {
            markLoopBacks(old.loopBacks, stale);
            markLoopBacks(loopBacks, stale);
        }
        ipv4Changes.sort();
        Ipv4Columns wide = mergeWide(stale);
        Ipv4Columns[] narrow = mergePages(stale);
        Ipv6Columns ipv6 = ipv6Changes.size > 0 ? old.ipv6.with(ipv6Changes, ipv6Systems) : old.ipv6;
        Ipv6Pages ipv6Pages =
                ipv6Changes.size > 0 || otherLoopBacks ? ipv6Pages(ipv6, otherLoopBacks) : old.ipv6Pages();
        char[] base = old.base;
        // Place numbers never shrink from one table to the next, so what once exceeded slots exceeds them now.
        boolean inSlots = old.ipv4Tries == null;
        char[][] pages = inSlots ? pages(old.pages, stale, wide, narrow) : NO_PAGES;
        if (inSlots && placeMax + Ipv4Base.blocks(base) > Ipv4Page.FIRST_BLOCK) {
            // Blocks of the base were numbered when there were fewer places. A page alone may still have room.
            base = Ipv4Base.NONE;
            pages = pages(NO_PAGES, stale, wide, narrow);
        }
        if (base.length == 0 && different(pages) > Ipv4Base.WORTH_PAGES) {
            base = Ipv4Base.of(pages, base, placeMax);
            pages = base.length == 0 ? pages : Ipv4Base.noPages();
        }
        @Nullable Ipv4Tries ipv4Tries =
                pages.length == 0 ? Ipv4Tries.next(old.ipv4Tries, stale, wide, narrow, loopBacks) : null;
        return new PlaceTable(new PlaceTable.Parts(
                pages,
                pages.length == 0 ? Ipv4Base.NONE : base,
                placeMax,
                ipv4Tries,
                ipv6Pages,
                narrow,
                wide,
                ipv6,
                loopBacks));
    }

    /** Returns the number of distinct pages; those of one place throughout are shared. */
    private static int different(char[][] pages) {
        int count = 0;
        for (int i = 0; i < pages.length; i++) {
            count += i == 0 || !Arrays.equals(pages[i], pages[i - 1]) ? 1 : 0;
        }
        return count;
    }

    private static void markLoopBacks(LoopbackPlaces some, boolean[] stale) {
        for (int i = 0; i < some.size(); i++) {
            if (new Address(some.high()[i], some.low()[i]).isIpv4()) {
                stale[(int) some.low()[i] >>> Ipv4Page.SHIFT] = true;
            }
        }
    }

    private Ipv4Columns mergeWide(boolean[] stale) {
        Ipv4Columns.Changes some = new Ipv4Columns.Changes();
        for (int i = 0; i < ipv4Changes.size(); i++) {
            long key = ipv4Changes.key(i);
            int length = Ipv4Columns.length(key);
            if (length < Ipv4Page.BITS) {
                some.add(key, ipv4Changes.place(i), ipv4Changes.system(i));
                int first = Ipv4Columns.base(key) >>> Ipv4Page.SHIFT;
                Arrays.fill(stale, first, first + (1 << (Ipv4Page.BITS - length)), true);
            }
        }
        some.sort();
        return some.size() == 0 ? old.ipv4Wide : old.ipv4Wide.with(some, 0, some.size());
    }

    private Ipv4Columns[] mergePages(boolean[] stale) {
        Ipv4Columns[] merged = old.ipv4.clone();
        int from = 0;
        while (from < ipv4Changes.size()) {
            int page = Ipv4Columns.base(ipv4Changes.key(from)) >>> Ipv4Page.SHIFT;
            int to = from;
            // Wider prefixes have the bases of pages too, and sort before all others there.
            while (to < ipv4Changes.size() && Ipv4Columns.base(ipv4Changes.key(to)) >>> Ipv4Page.SHIFT == page) {
                from += Ipv4Columns.length(ipv4Changes.key(to)) < Ipv4Page.BITS ? 1 : 0;
                to++;
            }
            if (from < to) {
                merged[page] = old.ipv4[page].with(ipv4Changes, from, to);
                stale[page] |= !merged[page].samePlaces(old.ipv4[page]);
            }
            from = to;
        }
        return merged;
    }

    /** Returns the pages, sharing those that are not stale; none at all if numbers do not suffice. */
    private char[][] pages(char[][] before, boolean[] stale, Ipv4Columns wide, Ipv4Columns[] narrow) {
        boolean fromScratch = before.length == 0;
        char[][] pages = fromScratch ? Ipv4Base.noPages() : before.clone();
        Ipv4Page painter = new Ipv4Page();
        Map<Integer, char[]> uniform = new HashMap<>();
        int loopBack = 0;
        int mostBlocks = 0;
        for (int i = 0; i < Ipv4Page.COUNT; i++) {
            if (fromScratch || stale[i]) {
                int around = wide.longest(i << Ipv4Page.SHIFT, 0, Ipv4Page.BITS - 1);
                int place = around < 0 ? PlaceTable.NOWHERE : wide.places[around];
                int afterLoopBacks = loopBacksBefore(i + 1, loopBack);
                boolean plain = narrow[i].size() == 0 && afterLoopBacks == loopBack;
                if (placeMax >= Ipv4Page.FIRST_BLOCK) {
                    return NO_PAGES;
                }
                if (plain) {
                    pages[i] = uniform.computeIfAbsent(place, Ipv4Page::uniform);
                } else {
                    painter.begin(place, placeMax);
                    if (!paint(painter, narrow[i], loopBack, afterLoopBacks)) {
                        return NO_PAGES;
                    }
                    pages[i] = painter.finish();
                }
            }
            loopBack = loopBacksBefore(i + 1, loopBack);
            mostBlocks = Math.max(mostBlocks, Ipv4Page.blocks(pages[i]));
        }
        // Blocks of shared pages were numbered when there were fewer places.
        return placeMax + mostBlocks > Ipv4Page.FIRST_BLOCK ? NO_PAGES : pages;
    }

    private boolean paint(Ipv4Page painter, Ipv4Columns prefixes, int firstLoopBack, int endOfLoopBacks) {
        for (int i = 0; i < prefixes.size(); i++) {
            long key = prefixes.keys[i];
            if (!painter.paint(Ipv4Columns.base(key), Ipv4Columns.length(key), prefixes.places[i])) {
                return false;
            }
        }
        for (int i = firstLoopBack; i < endOfLoopBacks; i++) {
            int address = (int) loopBacks.low()[i];
            boolean ipv4 = new Address(loopBacks.high()[i], loopBacks.low()[i]).isIpv4();
            if (ipv4
                    && painter.place(address) == PlaceTable.NOWHERE
                    && !painter.paint(address, 32, loopBacks.places()[i])) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of loop-back addresses before a page, counted on from an earlier result. */
    private int loopBacksBefore(int page, int from) {
        int at = from;
        long end = (0xffffL << 32) + ((long) page << Ipv4Page.SHIFT);
        while (at < loopBacks.size() && loopBacks.high()[at] == 0 && Long.compareUnsigned(loopBacks.low()[at], end) < 0) {
            at++;
        }
        return at;
    }

    private Ipv6Pages ipv6Pages(Ipv6Columns prefixes, boolean otherLoopBacks) {
        boolean[] stale = Ipv6Pages.fresh();
        for (int i = 0; i < ipv6Changes.size; i++) {
            Ipv6Pages.mark(stale, ipv6Changes.high[i], ipv6Changes.length(i));
        }
        for (LoopbackPlaces some : otherLoopBacks ? List.of(loopBacks, old.loopBacks) : List.<LoopbackPlaces>of()) {
            for (long high : some.high()) {
                Ipv6Pages.mark(stale, high, 128);
            }
        }
        return old.ipv6Pages().next(stale, prefixes.family, loopBacks);
    }
}
