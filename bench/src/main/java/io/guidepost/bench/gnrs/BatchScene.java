package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.CBaseline;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.packet.udp.SegmentationOffload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Trains of datagrams on both sides (GRO, GSO) against single datagrams. */
@Command(
        name = "batch",
        description = {
            "Lookups in trains (UDP GRO and GSO on both sides) against single datagrams, and against C.",
            "",
            "Example: ./guidepost bench batch --train 64"
        },
        mixinStandardHelpOptions = true)
public final class BatchScene extends BenchScene {
    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Option(names = "--train", paramLabel = "N", description = "Requests in a train (default ${DEFAULT-VALUE}).")
    private int train = 64;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Outstanding requests in trains (default ${DEFAULT-VALUE}).")
    private int outstanding = 4096;

    @Option(names = "--only-c", description = "Leaves single datagrams out.")
    private boolean onlyC;

    @Override
    public BenchReport play(BenchStage stage) {
        int count = options.size(records, 1000);
        ServerUnderTest trains = stage.server("guidepost, trains", options.serverCpu(), Map.of("udp.segmentation-offload", "on"));
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        stage.load(trains, count);
        contestants.put(trains.name(), inTrains(stage, trains, count));
        if (!onlyC) {
            ServerUnderTest singles = stage.server("guidepost, singles", options.serverCpu(), Map.of("udp.segmentation-offload", "off"));
            stage.load(singles, count);
            LoadProfile single = LoadProfile.closed(KeyDistribution.uniform(count, 1), 256);
            contestants.put(singles.name(), contestant(stage, singles, stage.generator(singles, single)));
        }
        if (onlyC || CBaseline.available()) {
            CBaseline responder = stage.responder(options.serverCpu(), count, true);
            contestants.put(responder.name() + ", trains", inTrains(stage, responder, count));
        }
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        return new BenchReport("Trains of datagrams", AlternatingRounds.heading(), rounds.rows(), rounds.notes());
    }

    private Supplier<LoadResult> inTrains(BenchStage stage, BenchTarget target, int count) {
        LoadProfile load = LoadProfile.closed(KeyDistribution.uniform(count, 1), Math.max(outstanding, train)).withTrains(train);
        return contestant(stage, target, stage.generator(target, load, 1, SegmentationOffload.ON));
    }
}
