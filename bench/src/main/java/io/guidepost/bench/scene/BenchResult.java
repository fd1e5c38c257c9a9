package io.guidepost.bench.scene;

import io.guidepost.base.Malformed;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * What a result file in {@code bench/results} holds: one run of a scene, and all that another run of it needs.
 *
 * @param scene name of the command
 * @param options its arguments, as given
 * @param commit of the checkout
 * @param date of the run
 * @param rounds of each contestant, 0 if not known
 * @param label what the names of rows are: {@code durability}; mostly empty
 * @param notes sentences that a reader of the rows needs
 */
public record BenchResult(
        String scene,
        String options,
        BenchMachine machine,
        String commit,
        String date,
        int rounds,
        String label,
        List<Row> rows,
        List<String> notes) {
    private static final int ROWS_MAX = 1000;
    private static final int ROUNDS_MAX = 1_000_000;

    /** A contestant, or one of its phases. */
    record Row(String name, List<Figure> figures) {
        /** Returns the text of a figure, empty if the row has none of that name. */
        String text(String figure) {
            return figures.stream()
                    .filter(each -> each.name.equals(figure))
                    .map(Figure::text)
                    .findFirst()
                    .orElse("");
        }
    }

    /**
     * One measured thing.
     *
     * @param name heading of its column
     * @param spread over the rounds; null where it is text
     * @param text as a table shows it
     */
    record Figure(String name, @Nullable MedianSpread spread, String text) {
        private static Figure of(String name, Object cell) {
            return switch (cell) {
                case MedianSpread spread when spread.known() -> new Figure(name, spread, spread.toString());
                case Number number -> new Figure(name, MedianSpread.of(List.of(number.doubleValue())), BenchReport.cell(number));
                default -> new Figure(name, null, cell.toString());
            };
        }

        /** Returns the unit, which ends the name: {@code us} of {@code p50 us}, {@code 1/s} of {@code replies/s}. */
        private String unit() {
            String last = name.substring(name.lastIndexOf(' ') + 1);
            return last.endsWith("/s") ? "1/s" : last.matches("us(/\\w+)?|ms|ns|%|bytes|M/s") && !last.equals(name) ? last : "";
        }
    }

    /** Returns the result of a report. */
    static BenchResult of(BenchReport report, String scene, String options, int rounds) {
        List<Row> rows = new ArrayList<>();
        for (List<?> cells : report.rows()) {
            List<Figure> figures = new ArrayList<>();
            for (int i = 1; i < cells.size(); i++) {
                figures.add(Figure.of(report.heading().get(i), cells.get(i)));
            }
            rows.add(new Row(BenchReport.cell(cells.getFirst()), figures));
        }
        return new BenchResult(
                scene, options, BenchMachine.here(), BenchMachine.commit(), BenchMachine.today(), rounds,
                report.heading().getFirst(), rows, report.notes());
    }

    /** Returns the file's text. */
    byte[] json() {
        return JsonWriter.bytes(true, out -> {
            out.writeStartObject();
            out.writeStringProperty("scene", scene);
            out.writeStringProperty("options", options);
            out.writeObjectPropertyStart("machine");
            out.writeStringProperty("processor", machine.processor());
            out.writeNumberProperty("processors", machine.processors());
            out.writeStringProperty("kernel", machine.kernel());
            out.writeStringProperty("jdk", machine.jdk());
            out.writeEndObject();
            out.writeStringProperty("commit", commit);
            out.writeStringProperty("date", date);
            if (rounds > 0) {
                out.writeNumberProperty("rounds", rounds);
            }
            out.writeStringProperty("label", label);
            out.writeArrayPropertyStart("rows");
            rows.forEach(row -> write(out, row));
            out.writeEndArray();
            out.writeArrayPropertyStart("notes");
            notes.forEach(out::writeString);
            out.writeEndArray();
            out.writeEndObject();
        });
    }

    private static void write(JsonGenerator out, Row row) {
        out.writeStartObject();
        out.writeStringProperty("name", row.name);
        out.writeArrayPropertyStart("figures");
        for (Figure each : row.figures) {
            out.writeStartObject();
            out.writeStringProperty("name", each.name);
            MedianSpread spread = each.spread;
            if (spread == null) {
                out.writeStringProperty("text", each.text);
            } else {
                out.writeStringProperty("unit", each.unit());
                out.writeNumberProperty("median", spread.median());
                if (spread.min() != spread.max()) {
                    out.writeNumberProperty("min", spread.min());
                    out.writeNumberProperty("max", spread.max());
                }
            }
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    /** Reads a file. */
    public static BenchResult read(Path file) {
        try {
            return read(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Malformed e) {
            throw new BenchFailure(file + ": " + e.getMessage(), e);
        }
    }

    /** Reads a file's text. */
    static BenchResult read(byte[] json) throws Malformed {
        JsonField root = JsonValue.read(json).whole();
        JsonField machine = root.member("machine");
        Optional<JsonField> rounds = root.find("rounds");
        List<Row> rows = new ArrayList<>();
        for (JsonField row : root.member("rows").elements(ROWS_MAX)) {
            List<Figure> figures = new ArrayList<>();
            for (JsonField figure : row.member("figures").elements(ROWS_MAX)) {
                figures.add(figure(figure));
            }
            rows.add(new Row(row.member("name").text(), figures));
        }
        List<String> notes = new ArrayList<>();
        for (JsonField note : root.member("notes").elements(ROWS_MAX)) {
            notes.add(note.text());
        }
        return new BenchResult(
                root.member("scene").text(),
                root.member("options").text(),
                new BenchMachine(
                        machine.member("processor").text(),
                        (int) machine.member("processors").integer(1, ROUNDS_MAX),
                        machine.member("kernel").text(),
                        machine.member("jdk").text()),
                root.member("commit").text(),
                root.member("date").text(),
                rounds.isPresent() ? (int) rounds.get().integer(1, ROUNDS_MAX) : 0,
                root.member("label").text(),
                rows,
                notes);
    }

    private static Figure figure(JsonField json) throws Malformed {
        String name = json.member("name").text();
        Optional<JsonField> text = json.find("text");
        if (text.isPresent()) {
            return new Figure(name, null, text.get().text());
        }
        JsonField median = json.member("median");
        MedianSpread spread = new MedianSpread(
                number(json.find("min").orElse(median)), number(median), number(json.find("max").orElse(median)));
        return new Figure(name, spread, spread.toString());
    }

    private static double number(JsonField json) throws Malformed {
        if (json.json() instanceof JsonValue.Number(String digits, long _)) {
            return Double.parseDouble(digits);
        }
        throw json.refused("should be a number");
    }

    /** Returns a figure of the row of a name; empty if there is none, or it is text. */
    public Optional<MedianSpread> spread(String row, String figure) {
        return rows.stream()
                .filter(each -> each.name.equals(row))
                .flatMap(each -> each.figures.stream())
                .filter(each -> each.name.equals(figure))
                .flatMap(each -> Stream.ofNullable(each.spread))
                .findFirst();
    }

    /** Returns the command line of the run. */
    String command() {
        return (scene + " " + options).strip();
    }
}
