package io.guidepost.lab.chart;

import java.util.ArrayList;
import java.util.List;

/** A table of comma-separated values with a heading (RFC 4180). Not thread-safe. */
public final class CsvTable {
    private final StringBuilder text = new StringBuilder();
    private final int columns;

    /** Adjacent cells of a row. */
    public record Cells(List<?> values) {}

    public CsvTable(Object... heading) {
        columns = heading.length;
        row(heading);
    }

    public static Cells cells(Object... values) {
        return new Cells(List.of(values));
    }

    /** Adds a row; {@link Cells} are expanded in place. */
    public CsvTable row(Object... values) {
        List<Object> flat = new ArrayList<>();
        for (Object value : values) {
            if (value instanceof Cells cells) {
                flat.addAll(cells.values());
            } else {
                flat.add(value);
            }
        }
        if (flat.size() != columns) {
            throw new IllegalArgumentException("a row has " + columns + " values, not " + flat.size());
        }
        for (int i = 0; i < columns; i++) {
            text.append(i == 0 ? "" : ",").append(quoted(String.valueOf(flat.get(i))));
        }
        text.append("\r\n");
        return this;
    }

    private static String quoted(String value) {
        boolean needs = value.contains(",") || value.contains("\"") || value.contains("\n");
        return needs ? '"' + value.replace("\"", "\"\"") + '"' : value;
    }

    public String text() {
        return text.toString();
    }
}
