package io.guidepost.bench;

import io.guidepost.packet.Trains;
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
            "Lookups at saturation, against a C program of ours that does the same work",
            "(recvmmsg and sendmmsg of 64, header checks, keyed hash probe, copy of the answer).",
            "",
            "Example: ./guidepost bench c --rounds 7"
        },
        mixinStandardHelpOptions = true)
final class CScene extends Scene {
    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Requests that are always waiting (default ${DEFAULT-VALUE}).")
    private int outstanding = 256;

    @Option(
            names = "--client-train",
            paramLabel = "N",
            description = {
                "Requests that the generator hands to the kernel as one (default ${DEFAULT-VALUE}). The servers still",
                "receive them one by one; it spares the generator, where that is the limit."
            })
    private int train = 1;

    @Override
    Report play(Stage stage) {
        int count = options.size(records, 1000);
        Responder responder = stage.responder(options.serverCpu(), count, false);
        ServerUnderTest server = stage.server("guidepost", options.serverCpu(), Map.of("gnrs.gro", "off"));
        stage.load(server, count);
        Map<String, Supplier<Tally>> contestants = new LinkedHashMap<>();
        for (Target target : List.of(server, responder)) {
            contestants.put(target.name(), contestant(stage, target, generator(stage, target, count)));
        }
        Rounds rounds = Rounds.play(options.rounds(), contestants, stage.progress());
        return new Report("Lookups at saturation against C", Rounds.heading(), rounds.rows(), rounds.notes());
    }

    private Generator generator(Stage stage, Target target, int count) {
        Load load = Load.closed(Keys.uniform(count, 1), Math.max(outstanding, train));
        return train > 1
                ? stage.generator(target, load.withTrains(train), 1, Trains.ON)
                : stage.generator(target, load);
    }
}
