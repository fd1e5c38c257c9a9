package io.guidepost.bench.scene;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The result of a scene: a table and notes, as text, Markdown or JSON.
 *
 * @param title what was measured
 * @param heading names of the columns, different ones but for labels of rows, with the unit last: {@code p50 us}
 * @param rows as many cells as columns each: a {@link MedianSpread}, a number, or text
 * @param notes sentences that a reader of the table needs
 */
public record BenchReport(
        String title, List<String> heading, List<? extends List<? extends Object>> rows, List<String> notes) {
    /** Returns a copy with a warning before its notes. */
    public BenchReport warning(String warning) {
        List<String> warned = new ArrayList<>(List.of(warning));
        warned.addAll(notes);
        return new BenchReport(title, heading, rows, warned);
    }

    /** Formats it for a terminal. */
    String text() {
        List<List<String>> all = new ArrayList<>(List.of(heading));
        rows.forEach(row -> all.add(cells(row)));
        StringBuilder text = new StringBuilder(title).append("\n\n");
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                int column = i;
                int width = all.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
                String pad = " ".repeat(width - row.get(i).length());
                line.append(i == 0 ? row.get(i) + pad : "  " + pad + row.get(i));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        text.append('\n');
        notes.forEach(note -> text.append(note).append('\n'));
        return text.toString();
    }

    private static List<String> cells(List<?> row) {
        return row.stream().map(BenchReport::cell).toList();
    }

    /** Formats a cell: a number in as many digits as its size deserves. */
    static String cell(Object cell) {
        return cell instanceof Double number ? MedianSpread.number(number) : cell.toString();
    }

    /** Formats a section for a page, with the command that reproduces it. */
    String markdown(String command, String machine) {
        StringBuilder text = new StringBuilder("\n### ").append(title).append("\n\n`").append(command).append("`  \n");
        text.append(machine).append("\n\n");
        line(text, heading);
        line(text, heading.stream().map(name -> "---").toList());
        rows.forEach(row -> line(text, cells(row)));
        text.append('\n');
        notes.forEach(note -> text.append("- ").append(note).append('\n'));
        return text.toString();
    }

    /** Appends a line of a table. */
    static void line(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /** Formats it for scripts: title, machine, command, rows as objects, notes. */
    String json(String command, String machine) {
        String objects =
                rows.stream().map(BenchReport::cells).map(this::object).collect(Collectors.joining(",\n    "));
        String sentences = notes.stream().map(BenchReport::quoted).collect(Collectors.joining(", "));
        return "{\n  \"title\": " + quoted(title) + ",\n  \"command\": " + quoted(command) + ",\n  \"machine\": "
                + quoted(machine) + ",\n  \"rows\": [\n    " + objects + "\n  ],\n  \"notes\": [" + sentences
                + "]\n}\n";
    }

    private String object(List<String> row) {
        List<String> members = new ArrayList<>(Collections.nCopies(row.size(), ""));
        for (int i = 0; i < row.size(); i++) {
            members.set(i, quoted(heading.get(i)) + ": " + quoted(row.get(i)));
        }
        return "{" + String.join(", ", members) + "}";
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                default -> quoted.append(c < ' ' ? String.format("\\u%04x", c) : String.valueOf((char) c));
            }
        });
        return quoted.append('"').toString();
    }
}
