package io.guidepost.bench.scene;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Renders the tables of a Markdown page from result files; the prose around them stays. A table follows a comment that names
 * its results and, if not all are shown, its columns. With {@code joined} a result is one line, otherwise a row is; a row
 * without a name continues the one above. With {@code notes} there is no table, but a list of what the results note.
 *
 * <pre>
 * &lt;!-- results: proxidor; lists/s; in C --&gt;
 * &lt;!-- results: fast fast-memif; joined; replies/s; p99 us --&gt;
 * &lt;!-- results: records; notes --&gt;
 * </pre>
 */
final class ResultsPage {
    private static final String BEGIN = "<!-- results: ";
    private static final String CLOSE = " -->";
    private static final String BULLET = "- ";

    private ResultsPage() {}

    /**
     * Returns the page with tables of the current results.
     *
     * @param results by name
     */
    static String render(String page, Function<String, BenchResult> results) {
        StringBuilder rendered = new StringBuilder();
        boolean replaced = false;
        for (String line : page.lines().toList()) {
            replaced &= line.startsWith("|") || line.startsWith(BULLET);
            if (!replaced) {
                rendered.append(line).append('\n');
            }
            if (line.startsWith(BEGIN)) {
                replaced = true;
                Marker.of(line, results).render(rendered);
            }
        }
        return rendered.toString();
    }

    /** Returns the names of the results that a page shows. */
    static List<String> names(String page) {
        return page.lines()
                .filter(line -> line.startsWith(BEGIN))
                .flatMap(line -> Arrays.stream(words(line)[0].split(" ")))
                .toList();
    }

    private static String[] words(String line) {
        return line.substring(BEGIN.length(), line.length() - CLOSE.length()).split("; ");
    }

    /** What a comment asks for; no columns are all of them. */
    private record Marker(List<BenchResult> results, boolean joined, boolean notes, List<String> columns) {
        static Marker of(String line, Function<String, BenchResult> results) {
            List<String> words = new ArrayList<>(List.of(words(line)));
            List<BenchResult> shown = Arrays.stream(words.removeFirst().split(" ")).map(results).toList();
            return new Marker(shown, words.remove("joined"), words.remove("notes"), words);
        }

        void render(StringBuilder text) {
            if (notes) {
                results.forEach(each -> each.notes().forEach(
                        note -> text.append(BULLET).append('`').append(each.command()).append("`: ").append(note).append('\n')));
                return;
            }
            List<String> shown = columns.isEmpty() ? allColumns() : columns;
            List<String> heading = new ArrayList<>(List.of("`./guidepost bench`", results.getFirst().label()));
            heading.addAll(shown);
            heading.add("commit");
            BenchReport.line(text, heading);
            BenchReport.line(text, heading.stream().map(name -> "---").toList());
            for (BenchResult result : results) {
                boolean first = true;
                for (List<BenchResult.Row> rows : lines(result)) {
                    List<String> cells = new ArrayList<>(List.of(first ? "`" + result.command() + "`" : ""));
                    cells.add(join(rows.stream().map(BenchResult.Row::name)));
                    shown.forEach(column -> cells.add(join(rows.stream().map(row -> row.text(column)))));
                    cells.add(first ? result.commit() : "");
                    BenchReport.line(text, cells);
                    first = false;
                }
            }
        }

        private List<String> allColumns() {
            return results.stream()
                    .flatMap(each -> each.rows().stream())
                    .flatMap(row -> row.figures().stream())
                    .map(BenchResult.Figure::name)
                    .distinct()
                    .toList();
        }

        /** Returns the rows of each line of the table. */
        private List<List<BenchResult.Row>> lines(BenchResult result) {
            List<List<BenchResult.Row>> lines = new ArrayList<>();
            for (BenchResult.Row row : result.rows()) {
                if (lines.isEmpty() || !joined && !row.name().isEmpty()) {
                    lines.add(new ArrayList<>());
                }
                lines.getLast().add(row);
            }
            return lines;
        }

        private static String join(Stream<String> texts) {
            return texts.filter(each -> !each.isEmpty()).collect(Collectors.joining("; "));
        }
    }
}
