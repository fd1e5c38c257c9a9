package io.guidepost.proximity.bgp;

import io.guidepost.base.Prefix;
import java.util.function.IntPredicate;

/**
 * The routes of all peers by prefix: a hash table with open addressing, in which all routes of a prefix stand in one
 * run. A route takes four longs, so the tables of two full feeds take tens of megabytes, not hundreds. Not thread-safe.
 *
 * <pre>
 * | base, first 64 bits | base, last 64 bits |
 * | path id 32 | peer 16 | generation 8 | length + 1: 8 |   0 in the last byte: the slot is free
 * | origin AS 32 | exit 16 | aggregated 1 | distance 15 |
 * </pre>
 */
final class AdjRibTable {
    private static final int WORDS = 4;
    private static final int SLOTS_MIN = 1 << 10;
    private static final long GENERATION = 0xffL << 8;
    private static final int AGGREGATED = 1 << 15;

    /** Load factor of five eighths: runs stay short where peers announce the same prefixes. */
    private static final int FULL_EIGHTHS = 5;

    private long[] words = new long[SLOTS_MIN * WORDS];
    private int mask = SLOTS_MIN - 1;
    private int size;

    /** Returns the number of routes. */
    int size() {
        return size;
    }

    /** Returns the bytes of the table. */
    long bytes() {
        return (long) words.length * Long.BYTES;
    }

    private static int hash(long high, long low, int length) {
        long mixed = (high * 0x9e3779b97f4a7c15L ^ low) * 0xff51afd7ed558ccdL ^ length;
        mixed ^= mixed >>> 32;
        mixed *= 0xc4ceb9fe1a85ec53L;
        return (int) (mixed >>> 29);
    }

    /** Returns the first slot of the run of a prefix. */
    int start(Prefix prefix) {
        return hash(prefix.high(), prefix.low(), prefix.length()) & mask;
    }

    /** Returns the slot after another. */
    int next(int slot) {
        return slot + 1 & mask;
    }

    /** Returns whether a slot is free, which ends a run. */
    boolean isFree(int slot) {
        return words[slot * WORDS + 2] == 0;
    }

    boolean isOf(int slot, Prefix prefix) {
        int at = slot * WORDS;
        return words[at + 1] == prefix.low() && words[at] == prefix.high() && length(slot) == prefix.length();
    }

    int slots() {
        return mask + 1;
    }

    private int length(int slot) {
        return (int) (words[slot * WORDS + 2] & 0xff) - 1;
    }

    Prefix prefix(int slot) {
        int at = slot * WORDS;
        return new Prefix(words[at], words[at + 1], length(slot));
    }

    boolean isIpv4(int slot) {
        int at = slot * WORDS;
        return words[at] == 0 && words[at + 1] >>> 32 == 0xffff && length(slot) >= 96;
    }

    int peer(int slot) {
        return (int) (words[slot * WORDS + 2] >>> 16) & 0xffff;
    }

    int pathId(int slot) {
        return (int) (words[slot * WORDS + 2] >>> 32);
    }

    int generation(int slot) {
        return (int) (words[slot * WORDS + 2] >>> 8) & 0xff;
    }

    long origin(int slot) {
        return words[slot * WORDS + 3] >>> 32;
    }

    int exit(int slot) {
        return (int) (words[slot * WORDS + 3] >>> 16) & 0xffff;
    }

    int distance(int slot) {
        return (int) words[slot * WORDS + 3] & BgpLimits.DISTANCE_MAX;
    }

    boolean aggregated(int slot) {
        return (words[slot * WORDS + 3] & AGGREGATED) != 0;
    }

    void generation(int slot, int generation) {
        int at = slot * WORDS + 2;
        words[at] = words[at] & ~GENERATION | (long) generation << 8;
    }

    void value(int slot, BgpRoute route, int exit) {
        words[slot * WORDS + 3] = route.origin() << 32 | (long) exit << 16 | (route.aggregated() ? AGGREGATED : 0) | route.distance();
    }

    /** Adds a route that is not there yet. */
    void add(Prefix prefix, int peer, int pathId, int generation, BgpRoute route, int exit) {
        if ((long) (size + 1) * 8 > (long) slots() * FULL_EIGHTHS) {
            grow();
        }
        int slot = start(prefix);
        while (!isFree(slot)) {
            slot = next(slot);
        }
        int at = slot * WORDS;
        words[at] = prefix.high();
        words[at + 1] = prefix.low();
        words[at + 2] = (long) pathId << 32 | (long) peer << 16 | (long) generation << 8 | prefix.length() + 1;
        value(slot, route, exit);
        size++;
    }

    private void grow() {
        long[] old = words;
        words = new long[old.length * 2];
        mask = mask * 2 + 1;
        for (int at = 0; at < old.length; at += WORDS) {
            if (old[at + 2] != 0) {
                int slot = hash(old[at], old[at + 1], (int) (old[at + 2] & 0xff) - 1) & mask;
                while (!isFree(slot)) {
                    slot = next(slot);
                }
                System.arraycopy(old, at, words, slot * WORDS, WORDS);
            }
        }
    }

    /** Removes the route in a slot; later routes move up, maybe into this slot. */
    void remove(int slot) {
        int hole = slot;
        int each = next(hole);
        while (!isFree(each)) {
            int at = each * WORDS;
            int home = hash(words[at], words[at + 1], length(each)) & mask;
            // It may move if its home is not between the hole and its slot.
            if ((each - home & mask) >= (each - hole & mask)) {
                System.arraycopy(words, at, words, hole * WORDS, WORDS);
                hole = each;
            }
            each = next(each);
        }
        words[hole * WORDS + 2] = 0;
        size--;
    }

    /** Removes all routes whose slots pass a test, which is called once per route. */
    void removeIf(IntPredicate gone) {
        // Starting after a free slot, no run is cut in two, and routes that move up have not been tested yet.
        int free = 0;
        while (!isFree(free)) {
            free++;
        }
        for (int i = 1, slot = next(free); i <= mask; ) {
            if (!isFree(slot) && gone.test(slot)) {
                remove(slot);
            } else {
                slot = next(slot);
                i++;
            }
        }
    }
}
