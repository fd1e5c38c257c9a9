package io.guidepost.proximity.place;

import io.guidepost.base.Prefix;
import io.guidepost.proximity.Prefixes;
import java.util.Arrays;

/**
 * IPv6 prefixes sorted by base, shorter ones first, each with its place (the value in the family) and AS number.
 * Immutable.
 */
final class Ipv6Columns {
    static final Ipv6Columns EMPTY = new Ipv6Columns(new Prefixes.Family(), new int[0]);

    final Prefixes.Family family;
    final int[] systems;

    private Ipv6Columns(Prefixes.Family family, int[] systems) {
        this.family = family;
        this.systems = systems;
    }

    int size() {
        return family.size;
    }

    Prefix prefix(int at) {
        return new Prefix(family.high[at], family.low[at], family.length(at));
    }

    /** Returns the index of the longest match of an address; -1 if there is none. */
    int longest(long high, long low) {
        return family.longest(high, low, 128);
    }

    /**
     * Returns a copy with changes applied.
     *
     * @param changes in the order in which they happened; the value is a place, or {@link Ipv4Columns.Changes#GONE}
     * @param changedSystems the AS number of each
     */
    Ipv6Columns with(Prefixes.Family changes, int[] changedSystems) {
        // The indices of changes pass the sort as their values.
        Prefixes.Family numbered = new Prefixes.Family();
        for (int i = 0; i < changes.size; i++) {
            numbered.add(changes.high[i], changes.low[i], changes.length(i), i);
        }
        Prefixes.Family sorted = numbered.sorted();
        Prefixes.Family next = new Prefixes.Family();
        int[] nextSystems = new int[family.size + sorted.size];
        int old = 0;
        for (int i = 0; i < sorted.size; i++) {
            while (old < family.size && compare(old, sorted, i) < 0) {
                old = keep(old, next, nextSystems);
            }
            if (old < family.size && compare(old, sorted, i) == 0) {
                old++;
            }
            int change = sorted.value[i];
            if (changes.value[change] != Ipv4Columns.Changes.GONE) {
                nextSystems[next.size] = changedSystems[change];
                next.add(sorted.high[i], sorted.low[i], sorted.length(i), changes.value[change]);
            }
        }
        while (old < family.size) {
            old = keep(old, next, nextSystems);
        }
        next.trim();
        return new Ipv6Columns(next, Arrays.copyOf(nextSystems, next.size));
    }

    private int compare(int at, Prefixes.Family other, int there) {
        return family.compare(at, other.high[there], other.low[there], other.length(there));
    }

    private int keep(int at, Prefixes.Family next, int[] nextSystems) {
        nextSystems[next.size] = systems[at];
        next.add(family.high[at], family.low[at], family.length(at), family.value[at]);
        return at + 1;
    }
}
