package io.guidepost.bench;

import io.guidepost.packet.Trains;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Trains of datagrams on both sides against single datagrams. */
@Command(
        name = "batch",
        description = {
            "Lookups in trains (UDP GRO and GSO on both sides) against single datagrams, and against C.",
            "",
            "Example: ./guidepost bench batch --train 64"
        },
        mixinStandardHelpOptions = true)
final class BatchScene extends Scene {
    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Option(names = "--train", paramLabel = "N", description = "Requests in a train (default ${DEFAULT-VALUE}).")
    private int train = 64;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Requests that are always waiting in trains (default ${DEFAULT-VALUE}).")
    private int outstanding = 4096;

    @Override
    Report play(Stage stage) {
        int count = options.size(records, 1000);
        ServerUnderTest trains = stage.server("guidepost, trains", options.serverCpu(), Map.of("gnrs.gro", "on"));
        ServerUnderTest singles = stage.server("guidepost, singles", options.serverCpu(), Map.of("gnrs.gro", "off"));
        Map<String, Supplier<Tally>> contestants = new LinkedHashMap<>();
        stage.load(trains, count);
        stage.load(singles, count);
        Load single = Load.closed(Keys.uniform(count, 1), 256);
        contestants.put(trains.name(), inTrains(stage, trains, count));
        contestants.put(singles.name(), contestant(stage, singles, stage.generator(singles, single)));
        if (Responder.available()) {
            Responder responder = stage.responder(options.serverCpu(), count, true);
            contestants.put(responder.name() + ", trains", inTrains(stage, responder, count));
        }
        Rounds rounds = Rounds.play(options.rounds(), contestants, stage.progress());
        return new Report("Trains of datagrams", Rounds.heading(), rounds.rows(), rounds.notes());
    }

    private Supplier<Tally> inTrains(Stage stage, Target target, int count) {
        Load load = Load.closed(Keys.uniform(count, 1), Math.max(outstanding, train)).withTrains(train);
        return contestant(stage, target, stage.generator(target, load, 1, Trains.ON));
    }
}
