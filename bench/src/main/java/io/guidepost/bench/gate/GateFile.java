package io.guidepost.bench.gate;

import io.guidepost.bench.process.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The file of expectations, a row a line; empty lines and those that begin with {@code #} are for people. */
final class GateFile {
    private final List<GateExpectation> rows = new ArrayList<>();

    /** Reads a file; throws a failure that names the line of a mistake. */
    GateFile(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            if (isRow(lines.get(i))) {
                try {
                    rows.add(GateExpectation.parse(lines.get(i)));
                } catch (IllegalArgumentException e) {
                    throw new BenchFailure(file + ":" + (i + 1) + ": " + e.getMessage(), e);
                }
            }
        }
    }

    private static boolean isRow(String line) {
        return !line.isBlank() && !line.startsWith("#");
    }

    /** Returns the rows of some names; all if no name is given. */
    List<GateExpectation> rows(List<String> names) {
        List<String> known = rows.stream().map(GateExpectation::name).toList();
        for (String each : names) {
            if (!known.contains(each)) {
                throw new BenchFailure("the gate has no row '" + each + "'; it has " + String.join(", ", known));
            }
        }
        return rows.stream().filter(row -> names.isEmpty() || names.contains(row.name())).toList();
    }
}
