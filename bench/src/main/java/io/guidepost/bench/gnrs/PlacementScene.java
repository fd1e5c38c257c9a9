package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.ServerUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lookups with the real prefix table against lookups without one. */
@Command(
        name = "placement",
        description = {
            "Lookups with a prefix table whose ASes are all bound to the server, and without.",
            "Of names that are bound and of names that are not: the set-up of the published measurements.",
            "",
            "Example: ./guidepost bench placement --prefixes prefixes.gz --bindings bindings.gz"
        },
        mixinStandardHelpOptions = true)
public final class PlacementScene extends BenchScene {
    @Option(names = "--prefixes", paramLabel = "FILE", description = "Prefix table; a generated one if not given.")
    private @Nullable Path prefixes;

    @Option(names = "--bindings", paramLabel = "FILE", description = "AS bindings; generated if not given.")
    private @Nullable Path bindings;

    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        int count = options.size(records, 1000);
        Map<String, String> tables = new LinkedHashMap<>();
        PlacementTables files = PlacementTables.of(prefixes, bindings, options.smoke(), stage.folder());
        tables.put("placement.prefix-file", files.prefixes().toString());
        tables.put("placement.binding-file", files.bindings().toString());
        // The bindings name port 5001 of loopback: that is the server's identity, wherever it listens.
        tables.put("gnrs.advertise", PlacementTables.SERVER);
        ServerUnderTest placed = stage.server("with the table", options.serverCpu(), tables);
        ServerUnderTest plain = stage.server("without", options.serverCpu(), Map.of());
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        for (ServerUnderTest server : new ServerUnderTest[] {placed, plain}) {
            stage.load(server, count);
            contestants.put("bound, " + server.name(), asks(stage, server, KeyDistribution.uniform(count, 1)));
            contestants.put("not bound, " + server.name(), asks(stage, server, KeyDistribution.sequential(count, 1 << 20)));
        }
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        return new BenchReport(
                "Lookups with placement (" + files.description() + ")",
                AlternatingRounds.heading(),
                rounds.rows(),
                notes(rounds));
    }

    private static List<String> notes(AlternatingRounds rounds) {
        List<String> notes = new ArrayList<>(rounds.notes());
        // These names are deliberately unbound; any other wrong response is still reported.
        notes.removeIf(note -> note.matches("not bound, .*: 0 wrong, [0-9]+ not bound, 0 failed.*"));
        return notes;
    }

    private Supplier<LoadResult> asks(BenchStage stage, BenchTarget target, KeyDistribution keys) {
        return contestant(stage, target, stage.generator(target, LoadProfile.closed(keys, 256)));
    }
}
