package io.guidepost.bench.store;

import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ServerUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The time of a server start. */
@Command(
        name = "start",
        description = {
            "Time from the start of the process, with an empty store, to the first answer.",
            "",
            "Example: ./guidepost bench start --runs 11"
        },
        mixinStandardHelpOptions = true)
public final class StartScene extends BenchScene {
    @Option(names = "--runs", paramLabel = "N", description = "Starts (default ${DEFAULT-VALUE}).")
    private int runs = 11;

    @Override
    public void pin() {
        // A start may use all processors, and nothing else runs.
    }

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        int count = options.size(runs, 2);
        List<Double> millis = new ArrayList<>();
        for (int run = 1; run <= count; run++) {
            stage.progress().say("start " + run + " of " + count);
            // Each start has a folder of its own: the store must be empty.
            try (ServerUnderTest server = ServerUnderTest.launch(
                    "start", ProcessPinning.ANYWHERE, Files.createDirectory(stage.folder().resolve("run" + run)), Map.of())) {
                millis.add(server.awaitAnswer());
            }
        }
        MedianSpread spread = MedianSpread.of(millis);
        String first = MedianSpread.number(millis.getFirst());
        return new BenchReport(
                "Start to first answer, empty store",
                List.of("runs", "median ms", "min ms", "max ms", "first ms"),
                List.of(List.of(
                        count,
                        spread.median(),
                        spread.min(),
                        spread.max(),
                        first)),
                List.of(
                        "The server is polled every 2 ms until it answers; the first start may find cold files.",
                        ServerUnderTest.launchedWith()));
    }
}
