package io.guidepost.bench.store;

import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.process.JvmOptions;
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
import java.util.stream.DoubleStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The time of a server start. */
@Command(
        name = "start",
        description = {
            "Time from the start of the process, with an empty store, to the first answer.",
            "With --jvm a second server, with further options of the JVM, takes turns with the first.",
            "",
            "Example: ./guidepost bench start --runs 11",
            "         ./guidepost bench start --jvm \"-XX:TieredStopAtLevel=1\" --until-steady"
        },
        mixinStandardHelpOptions = true)
public final class StartScene extends BenchScene {
    private static final int RECORDS = 1000;
    private static final int OUTSTANDING = 64;

    /** Lookups of which the processor time is told, and the pieces of all that follow the start. */
    private static final int PIECE = 100_000;

    private static final int PIECES = 10;
    private static final double NANOS_PER_MILLI = 1e6;

    @Option(names = "--runs", paramLabel = "N", description = "Starts (default ${DEFAULT-VALUE}).")
    private int runs = 11;

    @Option(names = "--jvm", paramLabel = "OPTIONS", description = "Options of the JVM of a second server.")
    private String jvm = "";

    @Option(
            names = "--until-steady",
            description = "Asks for a million records behind each start: the processor time of the first and the last lookups.")
    private boolean untilSteady;

    /** What one start cost: until the first answer, and microseconds of the processor for each lookup in the first and the last piece. */
    private record Start(double millis, double cpuMillis, double first, double last) {}

    @Override
    public void pin() {
        // A start may use all processors, and nothing else runs.
    }

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        int count = options.size(runs, 2);
        List<Start> plain = new ArrayList<>();
        List<Start> other = new ArrayList<>();
        for (int run = 1; run <= count; run++) {
            stage.progress().say("start " + run + " of " + count);
            plain.add(start(stage, "run" + run));
            if (!jvm.isEmpty()) {
                try (JvmOptions _ = JvmOptions.with(jvm)) {
                    other.add(start(stage, "other" + run));
                }
            }
        }
        List<String> heading = new ArrayList<>(List.of("runs", "median ms", "min ms", "max ms", "first ms", "CPU ms"));
        if (untilSteady) {
            heading.addAll(List.of("CPU us/lookup, first 100,000", "tenth 100,000"));
        }
        List<List<Object>> rows = new ArrayList<>(List.of(row(Integer.toString(count), plain)));
        if (!jvm.isEmpty()) {
            rows.add(row(count + " with " + jvm, other));
        }
        return new BenchReport(
                "Start to first answer, empty store",
                heading,
                rows,
                List.of(
                        "The server is polled every 2 ms until it answers; the first start may find cold files.",
                        ServerUnderTest.launchedWith()));
    }

    private Start start(BenchStage stage, String folder) throws IOException {
        // Each start has a folder of its own: the store must be empty.
        try (ServerUnderTest server = ServerUnderTest.launch(
                "start", ProcessPinning.ANYWHERE, Files.createDirectory(stage.folder().resolve(folder)), Map.of())) {
            double millis = server.awaitAnswer();
            double cpuMillis = server.cpuNanos() / NANOS_PER_MILLI;
            if (!untilSteady) {
                return new Start(millis, cpuMillis, Double.NaN, Double.NaN);
            }
            stage.load(server, RECORDS);
            GnrsLoadGenerator generator =
                    stage.generator(server, LoadProfile.closed(KeyDistribution.uniform(RECORDS, 1), OUTSTANDING));
            double[] pieces = DoubleStream.generate(() -> generator.runCount(options.size(PIECE, RECORDS)).cpuMicrosPerReply())
                    .limit(PIECES)
                    .toArray();
            return new Start(millis, cpuMillis, pieces[0], pieces[PIECES - 1]);
        }
    }

    private List<Object> row(String name, List<Start> starts) {
        MedianSpread millis = MedianSpread.of(starts, Start::millis);
        List<Object> row = new ArrayList<>(List.of(
                name,
                millis.median(),
                millis.min(),
                millis.max(),
                MedianSpread.number(starts.getFirst().millis()),
                MedianSpread.of(starts, Start::cpuMillis)));
        if (untilSteady) {
            row.addAll(List.of(MedianSpread.of(starts, Start::first), MedianSpread.of(starts, Start::last)));
        }
        return row;
    }
}
