package io.guidepost.bench.gate;

import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.OutputOptions;
import io.guidepost.bench.scene.TerminalProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Fails when a ratio of the project's speed to its baseline is worse than a committed one by a third. */
@Command(
        name = "gate",
        description = {
            "Plays short runs of scenes, and divides the processor time of this project's work by that of a baseline in the",
            "same rounds: C, or the engine alone. Fails (1) if a ratio is above the committed one by a third, twice: a row",
            "that does not hold is run once more. About two minutes; what this machine lacks is left out, and said.",
            "",
            "Example: ./guidepost bench gate --only lookups,handle-udp"
        },
        mixinStandardHelpOptions = true)
public final class GateCommand implements Callable<Integer> {
    private static final int FAILED = 1;

    private final Supplier<CommandLine> scenes;

    @Option(names = "--only", split = ",", paramLabel = "NAME", description = "Rows to run (default all).")
    private List<String> names = new ArrayList<>();

    @Option(names = "--complete", description = "Fails also if a row is left out.")
    private boolean complete;

    @Option(
            names = "--expectations",
            paramLabel = "FILE",
            description = "The committed ratios (default: bench/gate.txt of the checkout).")
    private Path file = Path.of(System.getProperty("guidepost.bench.gate", "bench/gate.txt"));

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    /** Creates the command, which gets a new command line of all scenes for each run of one. */
    public GateCommand(Supplier<CommandLine> scenes) {
        this.scenes = scenes;
    }

    @Override
    public Integer call() throws IOException {
        Map<String, List<GateExpectation>> rows = new LinkedHashMap<>();
        new GateFile(file).rows(names).forEach(row -> rows.computeIfAbsent(row.scene(), scene -> new ArrayList<>()).add(row));
        List<GateVerdict> verdicts = new ArrayList<>();
        TerminalProgress progress = TerminalProgress.ofCommand();
        Path folder = Files.createTempDirectory("guidepost-gate");
        try {
            for (Map.Entry<String, List<GateExpectation>> each : rows.entrySet()) {
                verdicts.addAll(play(each.getKey(), each.getValue(), folder, progress));
            }
        } finally {
            progress.done();
            Files.deleteIfExists(SceneOutcome.saved(folder));
            Files.delete(folder);
        }
        output.publish(report(verdicts), command);
        return verdicts.stream().allMatch(each -> each.holds() && !(complete && each.leftOut())) ? 0 : FAILED;
    }

    private List<GateVerdict> play(String scene, List<GateExpectation> rows, Path folder, TerminalProgress progress) {
        List<GateVerdict> verdicts = verdicts(scene, rows, folder, progress);
        if (verdicts.stream().allMatch(GateVerdict::holds)) {
            return verdicts;
        }
        List<GateVerdict> again = verdicts(scene, rows, folder, progress);
        List<GateVerdict> both = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            both.add(verdicts.get(i).holds() ? verdicts.get(i) : verdicts.get(i).then(again.get(i)));
        }
        return both;
    }

    private List<GateVerdict> verdicts(String scene, List<GateExpectation> rows, Path folder, TerminalProgress progress) {
        progress.say(scene);
        SceneOutcome outcome = SceneOutcome.play(scenes.get(), scene, folder);
        return rows.stream().map(row -> GateVerdict.of(row, outcome)).toList();
    }

    private static BenchReport report(List<GateVerdict> verdicts) {
        long failed = verdicts.stream().filter(each -> !each.holds()).count();
        long leftOut = verdicts.stream().filter(GateVerdict::leftOut).count();
        return new BenchReport(
                "Speed against the baselines",
                List.of("", "expected", "margin", "found", "speed", "ours", "baseline", "verdict"),
                verdicts.stream().map(GateVerdict::cells).toList(),
                List.of(
                        "Processor time of ours divided by that of the baseline, each in the best of alternating rounds. A row holds up to"
                                + " its margin, " + GateExpectation.SHARE_LEAST + " of the expected speed. One that did not was run once"
                                + " more, and the second run counts.",
                        (verdicts.size() - failed - leftOut) + " hold, " + failed + " fail, " + leftOut + " left out."));
    }
}
