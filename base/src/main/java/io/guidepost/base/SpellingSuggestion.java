package io.guidepost.base;

import java.util.Comparator;
import java.util.stream.Stream;

/** Guesses which word was meant, for messages that suggest it. */
public final class SpellingSuggestion {
    private SpellingSuggestion() {}

    /** Of some words the one for which fewest letters have to be changed; empty if there are no words. */
    public static String nearest(String written, Stream<String> words) {
        return words.min(Comparator.comparingInt(each -> changes(written, each))).orElse("");
    }

    /** Letters to insert, remove or replace (Levenshtein, 1965). */
    public static int changes(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
