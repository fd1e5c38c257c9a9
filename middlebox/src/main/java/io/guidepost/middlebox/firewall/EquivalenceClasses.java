package io.guidepost.middlebox.firewall;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Interned sets of box numbers, the equivalence classes of {@link RfcClassifier}. A set is an ascending array, whose
 * first element belongs to the first rule.
 */
final class EquivalenceClasses {
    private final Map<IntBuffer, Character> numbers = new HashMap<>();
    private final List<int[]> sets = new ArrayList<>();
    private long places;

    /** Thrown when the sets would exceed their bound of memory or time. */
    static final class TooMany extends Exception {}

    /** Returns the number of a set, which must not change any more. */
    char number(int[] set) throws TooMany {
        Character known = numbers.get(IntBuffer.wrap(set));
        if (known != null) {
            return known;
        }
        places += set.length;
        if (sets.size() > Character.MAX_VALUE || places > FirewallLimits.PRODUCT_PLACES_MAX) {
            throw new TooMany();
        }
        char number = (char) sets.size();
        numbers.put(IntBuffer.wrap(set), number);
        sets.add(set);
        return number;
    }

    int[] set(int number) {
        return sets.get(number);
    }

    int size() {
        return sets.size();
    }

    /** Returns the total size of all sets. */
    long places() {
        return places;
    }

    /** Returns the intersection of two sets. */
    static int[] common(int[] one, int[] other) {
        int[] found = new int[Math.min(one.length, other.length)];
        int count = 0;
        for (int i = 0, j = 0; i < one.length && j < other.length; ) {
            int least = Math.min(one[i], other[j]);
            if (one[i] == other[j]) {
                found[count++] = least;
            }
            i += one[i] == least ? 1 : 0;
            j += other[j] == least ? 1 : 0;
        }
        return count == found.length ? found : Arrays.copyOf(found, count);
    }

    /** Returns the least common element of two sets; -1 if there is none. */
    static int firstCommon(int[] one, int[] other) {
        for (int i = 0, j = 0; i < one.length && j < other.length; ) {
            if (one[i] == other[j]) {
                return one[i];
            }
            if (one[i] < other[j]) {
                i++;
            } else {
                j++;
            }
        }
        return -1;
    }
}
