package io.guidepost.base;

import java.util.Comparator;
import java.util.stream.Stream;

/** Suggests the word that a misspelt one was probably meant to be, by edit distance. */
public final class SpellingSuggestion {
    private SpellingSuggestion() {}

    /** Returns the word with the smallest edit distance; empty if there are no words. */
    public static String nearest(String written, Stream<String> words) {
        return words.min(Comparator.comparingInt(each -> changes(written, each))).orElse("");
    }

    /** Returns the edit distance: letters to insert, remove or replace (Levenshtein, 1965). */
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
