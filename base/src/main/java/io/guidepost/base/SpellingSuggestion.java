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

    /** Returns the edit distance: letters to insert, remove or replace, and neighbours to swap (Damerau, 1964). */
    public static int changes(String from, String to) {
        int[][] rows = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            rows[i][0] = i;
        }
        for (int j = 0; j <= to.length(); j++) {
            rows[0][j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            for (int j = 1; j <= to.length(); j++) {
                int replaced = rows[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                rows[i][j] = Math.min(replaced, 1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
                if (i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1)) {
                    rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
                }
            }
        }
        return rows[from.length()][to.length()];
    }
}
