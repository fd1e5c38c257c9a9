package io.guidepost.proximity.place;

import java.util.Arrays;

/**
 * IPv4 prefixes sorted by base, shorter ones first, each with its place and AS number. Immutable.
 *
 * <p>A prefix is one word: the base in 32 bits, then its length in 6. Words then sort as prefixes should.
 */
final class Ipv4Columns {
    static final Ipv4Columns EMPTY = new Ipv4Columns(new long[0], new int[0], new int[0]);

    final long[] keys;
    final int[] places;
    final int[] systems;

    private Ipv4Columns(long[] keys, int[] places, int[] systems) {
        this.keys = keys;
        this.places = places;
        this.systems = systems;
    }

    static long key(int base, int length) {
        return (base & 0xffffffffL) << 6 | length;
    }

    static int base(long key) {
        return (int) (key >>> 6);
    }

    static int length(long key) {
        return (int) key & 63;
    }

    static int mask(int length) {
        return length == 0 ? 0 : -1 << (32 - length);
    }

    int size() {
        return keys.length;
    }

    /** Returns the index of a prefix; negative if it is absent. */
    int find(long key) {
        return Arrays.binarySearch(keys, key);
    }

    /** Returns the index of the longest match of an address with a length in a range; -1 if there is none. */
    int longest(int address, int lengthMin, int lengthMax) {
        for (int length = lengthMax; length >= lengthMin && keys.length > 0; length--) {
            int at = find(key(address & mask(length), length));
            if (at >= 0) {
                return at;
            }
        }
        return -1;
    }

    /** Returns a copy with sorted changes applied; of changes to one prefix the last counts. */
    Ipv4Columns with(Changes changes, int from, int to) {
        int room = keys.length + to - from;
        long[] nextKeys = new long[room];
        int[] nextPlaces = new int[room];
        int[] nextSystems = new int[room];
        int size = 0;
        int old = 0;
        for (int i = from; i < to; i++) {
            long key = changes.key(i);
            if (i + 1 < to && changes.key(i + 1) == key) {
                continue;
            }
            int kept = old;
            while (old < keys.length && keys[old] < key) {
                old++;
            }
            System.arraycopy(keys, kept, nextKeys, size, old - kept);
            System.arraycopy(places, kept, nextPlaces, size, old - kept);
            System.arraycopy(systems, kept, nextSystems, size, old - kept);
            size += old - kept;
            if (old < keys.length && keys[old] == key) {
                old++;
            }
            if (changes.place(i) != Changes.GONE) {
                nextKeys[size] = key;
                nextPlaces[size] = changes.place(i);
                nextSystems[size++] = changes.system(i);
            }
        }
        System.arraycopy(keys, old, nextKeys, size, keys.length - old);
        System.arraycopy(places, old, nextPlaces, size, keys.length - old);
        System.arraycopy(systems, old, nextSystems, size, keys.length - old);
        size += keys.length - old;
        return size == 0
                ? EMPTY
                : new Ipv4Columns(
                        Arrays.copyOf(nextKeys, size), Arrays.copyOf(nextPlaces, size), Arrays.copyOf(nextSystems, size));
    }

    /** Returns whether other columns have the same prefixes at the same places, so that at most AS numbers differ. */
    boolean samePlaces(Ipv4Columns other) {
        return Arrays.equals(keys, other.keys) && Arrays.equals(places, other.places);
    }

    /** Changes of IPv4 prefixes, in the order in which they happened until {@link #sort}, then in that of prefixes. */
    static final class Changes {
        /** Marks a removed prefix, in place of a place. */
        static final int GONE = -1;

        /** Bits of a word that are left for the index of a change beside a key. */
        private static final int INDEX_BITS = 24;

        private long[] order = new long[16];
        private int[] places = new int[16];
        private int[] systems = new int[16];
        private int size;

        void add(long key, int place, int system) {
            if (size == order.length) {
                order = Arrays.copyOf(order, 2 * size);
                places = Arrays.copyOf(places, 2 * size);
                systems = Arrays.copyOf(systems, 2 * size);
            }
            if (size == 1 << INDEX_BITS) {
                throw new IllegalStateException("more than " + size + " changes at a time");
            }
            order[size] = key << INDEX_BITS | size;
            places[size] = place;
            systems[size] = system;
            size++;
        }

        int size() {
            return size;
        }

        void sort() {
            Arrays.sort(order, 0, size);
        }

        long key(int at) {
            return order[at] >>> INDEX_BITS;
        }

        int place(int at) {
            return places[index(at)];
        }

        int system(int at) {
            return systems[index(at)];
        }

        private int index(int at) {
            return (int) order[at] & (1 << INDEX_BITS) - 1;
        }
    }
}
