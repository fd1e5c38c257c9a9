package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.GnrsLoadGenerator;
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
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lookups at saturation against the C program that does the same work. */
@Command(
        name = "c",
        description = {
            "Lookups at saturation, against a C program that does the same work",
            "(recvmmsg and sendmmsg of 64, header checks, keyed hash probe, copy of the response).",
            "",
            "Example: ./guidepost bench c --rounds 7"
        },
        mixinStandardHelpOptions = true)
public final class CBaselineScene extends BenchScene {
    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Outstanding requests (default ${DEFAULT-VALUE}).")
    private int outstanding = 256;

    @Option(
            names = "--client-train",
            paramLabel = "N",
            description = {
                "Requests per send call with GSO (default ${DEFAULT-VALUE}). The servers still receive them one by",
                "one; this relieves the generator where it is the bottleneck."
            })
    private int train = 1;

    @Override
    public BenchReport play(BenchStage stage) {
        int count = options.size(records, 1000);
        CBaseline responder = stage.responder(options.serverCpu(), count, false);
        ServerUnderTest server = stage.server("guidepost", options.serverCpu(), Map.of("udp.segmentation-offload", "off"));
        stage.load(server, count);
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        for (BenchTarget target : List.of(server, responder)) {
            contestants.put(target.name(), contestant(stage, target, generator(stage, target, count)));
        }
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        return new BenchReport("Lookups at saturation against C", AlternatingRounds.heading(), rounds.rows(), rounds.notes());
    }

    private GnrsLoadGenerator generator(BenchStage stage, BenchTarget target, int count) {
        LoadProfile load = LoadProfile.closed(KeyDistribution.uniform(count, 1), Math.max(outstanding, train));
        return train > 1
                ? stage.generator(target, load.withTrains(train), 1, SegmentationOffload.ON)
                : stage.generator(target, load);
    }
}
