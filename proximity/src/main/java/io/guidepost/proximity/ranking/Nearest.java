package io.guidepost.proximity.ranking;

import java.util.Comparator;
import java.util.stream.Stream;

/** Guesses which word was meant: the one that fewest letters have to be changed for (Levenshtein, 1965). */
final class Nearest {
    private Nearest() {}

    static String of(String written, Stream<String> words) {
        return words.min(Comparator.comparingInt(each -> changes(written, each))).orElse("");
    }

    private static int changes(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int above = row[j];
                int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[to.length()];
    }
}
