package io.guidepost.proximity.place;

import io.guidepost.base.Address;
import io.guidepost.proximity.MatchRanges;
import io.guidepost.proximity.Poptrie;
import io.guidepost.proximity.Prefixes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The places of IPv4 if there are more than a slot of {@link Ipv4Page} can number: one {@link Poptrie} per page, so
 * that a change rebuilds one of them and shares the others. Immutable.
 */
final class Ipv4Tries {
    /** With those of the page these are 18 bits, so that a /24 is found in the first node below. */
    private static final int DIRECT_BITS = 8;

    private final Poptrie[] tries;

    private Ipv4Tries(Poptrie[] tries) {
        this.tries = tries;
    }

    int find(int address) {
        return tries[address >>> Ipv4Page.SHIFT].find(inPage(address), 0);
    }

    /** Returns the bits of an address after those of its page, left-aligned. */
    private static long inPage(int address) {
        return (long) address << Integer.SIZE + Ipv4Page.BITS;
    }

    long bytes() {
        long bytes = 4L * tries.length;
        for (int i = 0; i < tries.length; i++) {
            bytes += i == 0 || tries[i] != tries[i - 1] ? tries[i].bytes() : 0;
        }
        return bytes;
    }

    /**
     * Builds the tries of the next snapshot.
     *
     * @param before tries of the last snapshot, if it had any
     * @param stale pages that have changed since
     * @param wide prefixes that are wider than a page
     * @param narrow those within each page
     */
    static Ipv4Tries next(
            @Nullable Ipv4Tries before, boolean[] stale, Ipv4Columns wide, Ipv4Columns[] narrow, LoopbackPlaces loopBacks) {
        Poptrie[] next = before == null ? new Poptrie[Ipv4Page.COUNT] : before.tries.clone();
        Map<Integer, Poptrie> uniform = new HashMap<>();
        for (int page = 0; page < next.length; page++) {
            if (before == null || stale[page]) {
                int at = wide.longest(page << Ipv4Page.SHIFT, 0, Ipv4Page.BITS - 1);
                int around = at < 0 ? PlaceTable.NOWHERE : wide.places[at];
                MatchRanges ranges = ranges(page, around, narrow[page], loopBacks);
                next[page] = ranges.size == 1
                        ? uniform.computeIfAbsent(ranges.kind[0], place -> Poptrie.of(ranges, DIRECT_BITS))
                        : Poptrie.of(ranges, DIRECT_BITS);
            }
        }
        return new Ipv4Tries(next);
    }

    private static MatchRanges ranges(int page, int around, Ipv4Columns prefixes, LoopbackPlaces loopBacks) {
        Prefixes.Family inside = new Prefixes.Family();
        inside.add(0, 0, 0, around);
        for (int i = 0; i < prefixes.size(); i++) {
            int length = Ipv4Columns.length(prefixes.keys[i]) - Ipv4Page.BITS;
            if (length == 0) {
                // A prefix that is the whole page hides what is around it.
                inside.value[0] = prefixes.places[i];
            } else {
                inside.add(inPage(Ipv4Columns.base(prefixes.keys[i])), 0, length, prefixes.places[i]);
            }
        }
        MatchRanges ranges = MatchRanges.of(inside, inside.value);
        int before = inside.size;
        for (int i = loopBacks.firstAt(0); i < loopBacks.size() && loopBacks.high()[i] == 0; i++) {
            int address = (int) loopBacks.low()[i];
            boolean here = new Address(0, loopBacks.low()[i]).isIpv4() && address >>> Ipv4Page.SHIFT == page;
            if (here && ranges.kindOf(inPage(address), 0) == PlaceTable.NOWHERE) {
                inside.add(inPage(address), 0, Integer.SIZE - Ipv4Page.BITS, loopBacks.places()[i]);
            }
        }
        if (inside.size == before) {
            return ranges;
        }
        Prefixes.Family both = inside.sorted();
        return MatchRanges.of(both, both.value);
    }
}
