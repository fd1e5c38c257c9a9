package io.guidepost.bench.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.OutputOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The gate is shut for a slowdown by a third, and for no less; what it plays here is a scene with given figures. */
class GateCommandTest {
    @TempDir
    Path folder;

    private final Deque<Double> figures = new ArrayDeque<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** A scene whose baseline is 10, and whose own figure is the next of a list; none if there is nothing left. */
    @Command(name = "scene")
    private static final class Scene implements Callable<Integer> {
        private final Deque<Double> figures;

        @Option(names = "--lacking")
        private boolean lacking;

        @Option(names = "--without-c")
        private boolean withoutC;

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Spec
        private CommandSpec command = CommandSpec.create();

        Scene(Deque<Double> figures) {
            this.figures = figures;
        }

        @Override
        public Integer call() throws IOException {
            if (lacking) {
                throw BenchFailure.missing("there is no device");
            }
            if (figures.isEmpty()) {
                throw new BenchFailure("the server did not start");
            }
            List<List<Object>> both = List.of(List.of("ours", figures.pop()), List.of("C", 10.0));
            output.publish(
                    new BenchReport(
                            "Scene", List.of("", "CPU us"), withoutC ? both.subList(0, 1) : both,
                            List.of("No comparison with C: there is no compiler.")),
                    command);
            return 0;
        }
    }

    @Command(name = "bench")
    private static final class Scenes {}

    private CommandLine scenes() {
        return new CommandLine(new Scenes())
                .addSubcommand(new Scene(figures))
                .addSubcommand(new GateCommand(this::scenes))
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    line.getErr().println(failure.getMessage());
                    return 1;
                });
    }

    /** Runs the gate over lines of expectations. */
    private int gate(List<String> lines, String... options) throws IOException {
        Path file = Files.write(folder.resolve("gate.txt"), lines);
        CommandLine line = scenes();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        String[] words = Arrays.copyOf(options, options.length + 3);
        System.arraycopy(options, 0, words, 1, options.length);
        words[0] = "gate";
        words[options.length + 1] = "--expectations";
        words[options.length + 2] = file.toString();
        return line.execute(words);
    }

    private static String row(String name, String scene, String ratio) {
        return name + " | " + scene + " | ours: CPU us | C: CPU us | " + ratio;
    }

    @Test
    void aThirdMoreTimeFailsTwice() throws IOException {
        figures.addAll(List.of(16.1, 16.1));
        assertThat(gate(List.of(row("lookups", "scene", "1.2")))).isEqualTo(1);
        assertThat(out.toString()).contains("1.20", "1.60", "1.61", "75 %", "FAILS, run twice, first 1.61", "0 hold, 1 fail");
    }

    @Test
    void lessThanAThirdHolds() throws IOException {
        figures.add(15.9);
        assertThat(gate(List.of(row("lookups", "scene", "1.2")))).isZero();
        assertThat(out.toString()).contains("1.59", "holds", "1 hold, 0 fail").doesNotContain("run twice");
    }

    @Test
    void theSecondRunCounts() throws IOException {
        figures.addAll(List.of(20.0, 10.0));
        assertThat(gate(List.of(row("lookups", "scene", "1")))).isZero();
        assertThat(out.toString()).contains("holds, run twice, first 2.00");
    }

    @Test
    void rowsOfOneSceneShareItsRun() throws IOException {
        figures.add(10.0);
        assertThat(gate(List.of("# A comment", "", row("one", "scene", "1"), row("two", "scene", "1")))).isZero();
        assertThat(out.toString()).contains("2 hold");
    }

    @Test
    void aSceneThatBreaksFails() throws IOException {
        assertThat(gate(List.of(row("lookups", "scene", "1")))).isEqualTo(1);
        assertThat(out.toString()).contains("FAILS: the server did not start", "1 fail");
    }

    @Test
    void aFigureThatIsNotThereFails() throws IOException {
        figures.addAll(List.of(10.0, 10.0));
        assertThat(gate(List.of("x | scene | ours: us | C: CPU us | 1"))).isEqualTo(1);
        assertThat(out.toString()).contains("FAILS: the scene shows no 'ours: us'");
    }

    @Test
    void whatTheMachineLacksIsLeftOutAndSaid() throws IOException {
        List<String> lines = List.of(row("device", "scene --lacking", "1"), row("c", "scene --without-c", "1"));
        figures.addAll(List.of(10.0, 10.0));
        assertThat(gate(lines)).isZero();
        assertThat(out.toString())
                .contains("left out: there is no device", "left out: No comparison with C: there is no compiler", "2 left out");
        assertThat(gate(lines, "--complete")).isEqualTo(1);
    }

    @Test
    void mistakesAreToldWithTheirLine() throws IOException {
        for (String mistake : List.of(
                "lookups | scene",
                row("lookups", "scene", "0"),
                row("lookups", "scene", "much"),
                "lookups | scene | ours | C: CPU us | 1")) {
            err.getBuffer().setLength(0);
            assertThat(gate(List.of("# A comment", mistake))).isEqualTo(1);
            assertThat(err.toString()).contains("gate.txt:2: ");
        }
        assertThat(gate(List.of(row("lookups", "scene", "1")), "--only", "writes")).isEqualTo(1);
        assertThat(err.toString()).contains("the gate has no row 'writes'; it has lookups");
    }
}
