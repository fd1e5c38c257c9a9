package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.CGenerator;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.CBaseline;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.RunningServerCommand;
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
            "Lookups at fixed rates, by a generator in C: latency from when each was meant to leave, and the server's CPU",
            "per reply. The generator sleeps between requests, and runs under SCHED_FIFO where the kernel permits it.",
            "",
            "Example: ./guidepost bench paced --rate 50000 --normal-class"
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

    @Option(
            names = "--normal-class",
            description = "A second server, with workers.real-time off, takes turns with the first.")
    private boolean normalClass;

    /** A target with its process, of which the generator reads the processor time. */
    private record Paced(BenchTarget target, long pid) {}

    @Override
    public BenchReport play(BenchStage stage) {
        int count = options.size(records, 1000);
        List<Paced> targets = new ArrayList<>(List.of(server(stage, "guidepost", Map.of(), count)));
        if (normalClass) {
            targets.add(server(stage, "guidepost, normal class", Map.of("workers.real-time", "false"), count));
        }
        CBaseline responder = stage.responder(options.serverCpu(), count, false);
        targets.add(new Paced(responder, responder.pid()));
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        for (int wanted : rates.isEmpty() ? List.of(20_000, 50_000) : rates) {
            int rate = options.size(wanted, Math.max(1, wanted / SMOKE_SLOWER));
            for (Paced each : targets) {
                RunningServerCommand.Generator load = generator(stage, each, count, rate);
                warmUp(stage, each.target, load);
                contestants.put(
                        each.target.name() + " at " + MedianSpread.number(rate),
                        () -> load.run(options.roundWarmNanos(), options.windowNanos()));
            }
        }
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        List<List<Object>> rows = rounds.rows().stream().map(PacedScene::withoutRatios).toList();
        return new BenchReport("Lookups at fixed rates", withoutRatios(AlternatingRounds.heading()), rows, notes(rounds));
    }

    private Paced server(BenchStage stage, String name, Map<String, String> keys, int count) {
        Map<String, String> settings = new LinkedHashMap<>(keys);
        if (spinMicros >= 0) {
            settings.put("workers.busy-poll-micros", Integer.toString(spinMicros));
        }
        ServerUnderTest server = stage.server(name, options.serverCpu(), settings);
        stage.load(server, count);
        return new Paced(server, server.pid());
    }

    private static RunningServerCommand.Generator generator(BenchStage stage, Paced of, int count, int rate) {
        CGenerator program = CGenerator.ofLookups(stage.folder(), of.target.address(), of.pid);
        List<String> words = List.of("--records", Integer.toString(count), "--rate", Integer.toString(rate));
        return (warmNanos, windowNanos) -> program.run(warmNanos, windowNanos, words);
    }

    /** Returns the columns before the last two: ratios between different rates mean nothing. */
    private static <T> List<T> withoutRatios(List<T> columns) {
        return columns.subList(0, columns.size() - 2);
    }

    private static List<String> notes(AlternatingRounds rounds) {
        List<String> notes = new ArrayList<>(rounds.notes());
        notes.removeIf(note -> note.contains(": replies/s "));
        notes.add("Latencies begin when a request was meant to leave, so that a stall is charged to all it delayed.");
        return notes;
    }
}
