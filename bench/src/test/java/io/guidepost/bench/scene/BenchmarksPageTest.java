package io.guidepost.bench.scene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The tables of these pages are what {@code ./guidepost bench report} makes of bench/results. */
class BenchmarksPageTest {
    private static final Path PAGE = Path.of("../docs/benchmarks.md");
    private static final Path SCAFFOLD = Path.of("../docs/scaffold-bench.md");
    private static final Path NAMES = Path.of("../docs/http.md");
    private static final Path RESULTS = Path.of("results");

    @TempDir
    private Path folder = Path.of("");

    private static String report(Path page, Path results) {
        StringWriter out = new StringWriter();
        CommandLine line = new CommandLine(new ReportCommand());
        line.setOut(new PrintWriter(out, true));
        assertThat(line.execute("--page", page.toString(), "--results", results.toString())).isZero();
        return out.toString();
    }

    @Test
    void tablesAreThoseOfTheResults() throws IOException {
        for (Path page : List.of(PAGE, SCAFFOLD, NAMES)) {
            Path copy = Files.copy(page, folder.resolve(page.getFileName()));
            assertThat(report(copy, RESULTS)).contains("is up to date");
            assertThat(Files.readString(copy)).as("run ./guidepost bench report --page " + page).isEqualTo(Files.readString(page));
            assertThat(Files.readAllLines(page)).hasSizeLessThanOrEqualTo(250);
        }
    }

    @Test
    void everyResultIsShown() throws IOException {
        try (Stream<Path> files = Files.list(RESULTS)) {
            List<String> names = files.map(file -> file.getFileName().toString().replace(".json", "")).toList();
            assertThat(ResultsPage.names(Files.readString(PAGE) + Files.readString(SCAFFOLD) + Files.readString(NAMES))).containsAll(names);
        }
    }

    @Test
    void aResultIsReadAsItWasWritten() throws Exception {
        BenchReport report = new BenchReport(
                "title",
                List.of("durability", "inserts/s", "p50 us", "lost", "phase"),
                List.of(List.of("fsync", new MedianSpread(1, 2.5, 3), 7.25, 4L, "before")),
                List.of("A note."));
        BenchResult result = BenchResult.of(report, "writes", "--rounds 3", 3);
        assertThat(BenchResult.read(result.json())).isEqualTo(result);
        assertThat(new String(result.json(), StandardCharsets.UTF_8))
                .contains("\"unit\": \"1/s\"", "\"unit\": \"us\"", "\"median\": 2.5", "\"rounds\": 3", "\"text\": \"before\"");
    }

    @Test
    void proseStaysAndTablesAreReplaced() {
        BenchReport report = new BenchReport(
                "title",
                List.of("", "rate, first / this", "p99 us"),
                List.of(List.of("a", "", 1.0), List.of("b", new MedianSpread(1, 2, 3), 4.0)),
                List.of("A note."));
        BenchResult result = BenchResult.of(report, "c", "--seconds 1", 0);
        String page = """
                Prose.
                <!-- results: one; p99 us -->
                | old |

                <!-- results: one; joined; rate, first / this; p99 us -->
                <!-- results: one; notes -->
                - old
                More prose.
                """;
        assertThat(ResultsPage.render(page, name -> result).replace(result.commit(), "COMMIT")).isEqualTo("""
                Prose.
                <!-- results: one; p99 us -->
                | `./guidepost bench` |  | p99 us | commit |
                | --- | --- | --- | --- |
                | `c --seconds 1` | a | 1 | COMMIT |
                |  | b | 4 |  |

                <!-- results: one; joined; rate, first / this; p99 us -->
                | `./guidepost bench` |  | rate, first / this | p99 us | commit |
                | --- | --- | --- | --- | --- |
                | `c --seconds 1` | a; b | 2 (1-3) | 1; 4 | COMMIT |
                <!-- results: one; notes -->
                - `c --seconds 1`: A note.
                More prose.
                """);
        assertThat(ResultsPage.names(page)).containsExactly("one", "one", "one");
    }
}
