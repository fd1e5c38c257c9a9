package io.guidepost.server.cli.support;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns as wide as their widest cell; numbers stand to the right. */
public final class TextTable {
    private final List<String[]> rows = new ArrayList<>();

    /** A table with a heading. */
    public TextTable(String... heading) {
        rows.add(heading);
    }

    public TextTable row(Object... cells) {
        String[] row = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            row[i] = String.valueOf(cells[i]);
        }
        rows.add(row);
        return this;
    }

    @Override
    public String toString() {
        int columns = rows.getFirst().length;
        int[] widths = new int[columns];
        boolean[] numbers = new boolean[columns];
        for (int i = 0; i < columns; i++) {
            numbers[i] = rows.size() > 1;
            for (int r = 0; r < rows.size(); r++) {
                String cell = rows.get(r)[i];
                widths[i] = Math.max(widths[i], cell.length());
                numbers[i] &= r == 0 || cell.isEmpty() || cell.matches("[-+]?[0-9][0-9.,]*( ?[%a-zµ/]+)?");
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String pad = " ".repeat(widths[i] - row[i].length());
                line.append(i == 0 ? "" : "  ").append(numbers[i] ? pad + row[i] : row[i] + pad);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
