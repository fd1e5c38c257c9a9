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
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ServerUnderTest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Latency and cost below saturation. */
@Command(
        name = "paced",
        description = {
            "Lookups at fixed rates: latency from when each was meant to leave, and the server's CPU per reply.",
            "",
            "Example: ./guidepost bench paced --rate 20000 --rate 50000"
        },
        mixinStandardHelpOptions = true)
public final class PacedScene extends BenchScene {
    private static final int SMOKE_SLOWER = 10;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Lookups a second; may be repeated (default 20000, 50000).")
    private List<Integer> rates = new ArrayList<>();

    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Option(
            names = "--spin",
            paramLabel = "MICROS",
            description = "Spin budget of the server; its default if not given.")
    private int spinMicros = -1;

    @Override
    public BenchReport play(BenchStage stage) {
        int count = options.size(records, 1000);
        Map<String, String> settings = spinMicros < 0 ? Map.of() : Map.of("workers.busy-poll-micros", "" + spinMicros);
        List<BenchTarget> targets = new ArrayList<>();
        ServerUnderTest server = stage.server("guidepost", options.serverCpu(), settings);
        stage.load(server, count);
        targets.add(server);
        if (CBaseline.available()) {
            targets.add(stage.responder(options.serverCpu(), count, false));
        }
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        for (int wanted : rates.isEmpty() ? List.of(20_000, 50_000) : rates) {
            int rate = options.size(wanted, Math.max(1, wanted / SMOKE_SLOWER));
            for (BenchTarget target : targets) {
                LoadProfile load = LoadProfile.open(KeyDistribution.uniform(count, 1), rate);
                contestants.put(
                        target.name() + " at " + MedianSpread.number(rate),
                        contestant(stage, target, stage.generator(target, load)));
            }
        }
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        return new BenchReport("Lookups at fixed rates", AlternatingRounds.heading(), rounds.rows(), notes(rounds));
    }

    private static List<String> notes(AlternatingRounds rounds) {
        List<String> notes = new ArrayList<>(rounds.notes());
        // Ratios between different rates mean nothing.
        notes.removeIf(note -> note.contains(": replies/s "));
        notes.add("Latencies begin when a request was meant to leave, so that a stall is charged to all it delayed.");
        return notes;
    }
}
