package io.guidepost.proximity.input;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.proximity.Findings;
import io.guidepost.proximity.oracle.OracleDecimals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a Repetita graph:
 *
 * <pre>
 * NODES N
 * label x y
 * LABEL X Y                                    N times; numbered from 0
 * EDGES M
 * label src dest weight bw delay
 * LABEL FROM TO WEIGHT KBITS-PER-SECOND DELAY  M times, each one direction
 * </pre>
 *
 * <p>Delays are milliseconds, or microseconds if one of them is above 1000: no link on Earth takes a second. The
 * coordinates are drawn, not measured, and are ignored.
 */
final class RepetitaFile {
    private static final double DELAY_MILLIS_MAX = 1000;
    private static final double KILOBITS = 1e3;

    /** An edge as it is written. */
    private record Row(String from, String to, double weight, double kilobits, double delay, long line) {}

    private final InputGraph graph;
    private final LineReader lines;
    private final List<Row> rows = new ArrayList<>();

    private RepetitaFile(InputGraph graph, LineReader lines) {
        this.graph = graph;
        this.lines = lines;
    }

    static InputGraph read(Path file, Findings findings) throws IOException {
        InputGraph graph = new InputGraph(file.toString(), findings);
        try (LineReader lines = LineReader.open(file)) {
            new RepetitaFile(graph, lines).read();
            lines.check();
        } catch (FaultyFile e) {
            findings.take(e);
        }
        return graph;
    }

    private void read() throws IOException {
        if (!section("NODES", InputLimits.NODES_MAX, 3, this::node) || !section("EDGES", InputLimits.EDGES_MAX, 6, this::edge)) {
            return;
        }
        boolean micros = rows.stream().anyMatch(each -> each.delay > DELAY_MILLIS_MAX);
        for (Row each : rows) {
            EdgeAttributes traits = new EdgeAttributes(
                    micros ? each.delay / 1e3 : each.delay,
                    Double.NaN,
                    each.kilobits / KILOBITS,
                    Double.NaN,
                    each.weight);
            graph.edge(new InputGraph.Edge(each.from, each.to, false, traits, each.line));
        }
    }

    private interface Taker {
        void take(int number, List<String> columns);
    }

    /** Reads a count, a heading and as many lines; returns false if the form is another one. */
    private boolean section(String word, int max, int columns, Taker taker) throws IOException {
        List<String> head = next();
        if (head.size() != 2 || !head.getFirst().equals(word) || !head.getLast().matches("[0-9]{1,9}")) {
            graph.fault(lines.line(), "expected " + word + " and their number");
            return false;
        }
        int count = Integer.parseInt(head.getLast());
        if (count > max) {
            graph.fault(lines.line(), "there may be " + max + " at most, not " + count);
            return false;
        }
        next();
        for (int i = 0; i < count; i++) {
            List<String> row = next();
            if (row.size() != columns) {
                graph.fault(
                        lines.line(),
                        row.isEmpty()
                                ? "the file ends after " + i + " of " + count + " lines of " + word
                                : "a line of " + word + " has " + columns + " columns, not " + row.size());
                return false;
            }
            taker.take(i, row);
        }
        return true;
    }

    /** Returns the columns of the next line; empty at the end. */
    private List<String> next() throws IOException {
        List<String> columns = new ArrayList<>();
        if (lines.nextLine()) {
            do {
                columns.add(lines.field());
            } while (lines.nextField());
        }
        return columns;
    }

    private void node(int number, List<String> columns) {
        String name = columns.getFirst().replace('+', ' ');
        InputGraph.Node node = new InputGraph.Node(name, InputGraph.address(columns.getFirst()), List.of(), Double.NaN, Double.NaN);
        graph.node(String.valueOf(number), node, lines.line());
    }

    private void edge(int number, List<String> columns) {
        Optional<String> wrong = columns.subList(1, 6).stream().filter(each -> !(OracleDecimals.parse(each) >= 0)).findFirst();
        if (wrong.isPresent()) {
            graph.fault(lines.line(), "'" + wrong.get() + "' is not a number of 0 or more");
            return;
        }
        rows.add(new Row(
                columns.get(1),
                columns.get(2),
                OracleDecimals.parse(columns.get(3)),
                OracleDecimals.parse(columns.get(4)),
                OracleDecimals.parse(columns.get(5)),
                lines.line()));
    }
}
