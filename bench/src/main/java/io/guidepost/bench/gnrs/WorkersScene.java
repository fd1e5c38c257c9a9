package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.packet.udp.SegmentationOffload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One worker against several, with the generator on the same processors. */
@Command(
        name = "workers",
        description = {
            "One worker against several; the generator shares the processors with them.",
            "Nothing is pinned. A small machine shows how well they share, not how well they scale.",
            "",
            "Example: ./guidepost bench workers --workers 2"
        },
        mixinStandardHelpOptions = true)
public final class WorkersScene extends BenchScene {
    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Workers of the larger server (default ${DEFAULT-VALUE}).")
    private int workers = 2;

    @Option(names = "--flows", paramLabel = "N", description = "Sockets of the generator (default ${DEFAULT-VALUE}).")
    private int flows = 16;

    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Override
    public void pin() {
        // All processes share all processors: that is the scene.
    }

    @Override
    public BenchReport play(BenchStage stage) {
        int count = options.size(records, 1000);
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        for (int number : List.of(workers, 1)) {
            String name = number == 1 ? "1 worker" : number + " workers";
            ServerUnderTest server = stage.server(
                    name, ProcessPinning.ANYWHERE, Map.of("workers.count", "" + number, "udp.segmentation-offload", "off"));
            stage.load(server, count);
            LoadProfile load = LoadProfile.closed(KeyDistribution.uniform(count, 1), 512);
            contestants.put(name, contestant(stage, server, stage.generator(server, load, flows, SegmentationOffload.OFF)));
        }
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        List<String> notes = new ArrayList<>(rounds.notes());
        notes.add("The generator takes a processor whenever it can: of " + Runtime.getRuntime()
                .availableProcessors() + " processors the workers have one less.");
        return new BenchReport("Workers", AlternatingRounds.heading(), rounds.rows(), notes);
    }
}
