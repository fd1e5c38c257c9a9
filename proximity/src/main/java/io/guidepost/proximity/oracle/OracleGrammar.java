package io.guidepost.proximity.oracle;

import io.guidepost.proximity.oracle.OracleError.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/**
 * The commands of the console as rows of a table, which drives parsing, help and completion. In the form of a command,
 * lower-case words stand for themselves, {@code a|b} is a choice, and words in capitals are arguments.
 */
final class OracleGrammar {
    /**
     * One command.
     *
     * @param form its syntax
     * @param help what it does
     * @param action executes it
     */
    record Row(List<String> form, String help, Action action) {
        String text() {
            return String.join(" ", form);
        }

        private boolean takes(int at, String word) {
            return at < form.size() && (isArgument(form.get(at)) || choices(at).contains(lower(word)));
        }

        private boolean literally(int at, String word) {
            return takes(at, word) && !isArgument(form.get(at));
        }

        private List<String> choices(int at) {
            return Arrays.asList(form.get(at).split("\\|"));
        }
    }

    /** Executes a command. */
    interface Action {
        String run(OracleArguments arguments) throws Refusal;
    }

    /**
     * A parsed command.
     *
     * @param row of the table
     * @param words of the line
     */
    record Parsed(Row row, List<String> words) {}

    private static final Pattern WORD = Pattern.compile("\"([^\"]+)\"|\\S+");

    private final List<Row> rows = new ArrayList<>();

    /** Adds a command. */
    OracleGrammar row(String form, String help, Action action) {
        rows.add(new Row(List.of(form.split(" ")), help, action));
        return this;
    }

    /** Returns the words of a line; one in quotes may have blanks. */
    static List<String> words(String line) {
        return WORD.matcher(line)
                .results()
                .map(each -> each.group(1) == null ? each.group() : each.group(1))
                .toList();
    }

    private static boolean isArgument(String word) {
        return Character.isUpperCase(word.charAt(0));
    }

    private static String lower(String word) {
        return word.toLowerCase(Locale.ROOT);
    }

    /** Returns the rows that match these first words; a literal word precedes an argument. */
    private List<Row> matching(List<String> words) {
        List<Row> left = rows;
        for (int i = 0; i < words.size(); i++) {
            int at = i;
            String word = words.get(i);
            List<Row> literally = left.stream().filter(each -> each.literally(at, word)).toList();
            left = literally.isEmpty() ? left.stream().filter(each -> each.takes(at, word)).toList() : literally;
        }
        return left;
    }

    /**
     * Finds the command of a line.
     *
     * @throws Refusal if it is unknown, with the known ones, or if words are missing, with its help
     */
    Parsed parse(List<String> words) throws Refusal {
        List<Row> left = matching(words);
        for (Row each : left) {
            if (each.form.size() == words.size()) {
                return new Parsed(each, words);
            }
        }
        if (left.isEmpty()) {
            throw unknown(words);
        }
        throw OracleError.INCOMPLETE.because("write one of\n" + help(left));
    }

    private Refusal unknown(List<String> words) {
        int right = words.size() - 1;
        while (matching(words.subList(0, right)).isEmpty()) {
            right--;
        }
        List<Row> left = matching(words.subList(0, right));
        Set<String> next = new LinkedHashSet<>();
        for (Row each : left) {
            next.add(right < each.form.size() ? each.form.get(right) : "the end of the line");
        }
        return OracleError.COMMAND.because("in place of '" + words.get(right) + "' write " + String.join(", ", next));
    }

    /** Returns the help of some commands. */
    String help(List<Row> told) {
        int width = told.stream().mapToInt(each -> each.text().length()).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (Row each : told) {
            String pad = " ".repeat(width + 2 - each.text().length());
            text.append(("  " + each.text() + pad + each.help).stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** Returns the help of all commands. */
    String help() {
        return help(rows);
    }

    /**
     * Returns completions of the last word of a line; after a blank, the possible next words.
     *
     * @param arguments supplies candidates for an argument, by its name and the words before it
     */
    List<String> complete(String line, BiFunction<String, List<String>, List<String>> arguments) {
        List<String> words = new ArrayList<>(words(line));
        boolean open = !words.isEmpty() && !Character.isWhitespace(line.charAt(line.length() - 1));
        String begun = open ? words.removeLast() : "";
        int at = words.size();
        Set<String> candidates = new LinkedHashSet<>();
        for (Row each : matching(words)) {
            if (at < each.form.size()) {
                String next = each.form.get(at);
                List<String> all = isArgument(next) ? arguments.apply(next, words) : each.choices(at);
                all.stream().filter(choice -> choice.startsWith(lower(begun))).forEach(candidates::add);
            }
        }
        return candidates.stream().limit(OracleLimits.CANDIDATES_MAX).toList();
    }
}
