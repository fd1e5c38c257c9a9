package io.guidepost.bench;

import io.guidepost.packet.Trains;
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
            "One worker against several, the generator sharing the processors with them.",
            "Nothing is pinned. On a small machine this says how well they share, not how well they scale.",
            "",
            "Example: ./guidepost bench workers --workers 2"
        },
        mixinStandardHelpOptions = true)
final class WorkersScene extends Scene {
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
    void pin() {
        // All share all processors: that is the scene.
    }

    @Override
    Report play(Stage stage) {
        int count = options.size(records, 1000);
        Map<String, Supplier<Tally>> contestants = new LinkedHashMap<>();
        for (int number : List.of(workers, 1)) {
            String name = number == 1 ? "1 worker" : number + " workers";
            ServerUnderTest server = stage.server(
                    name, Pinning.ANYWHERE, Map.of("gnrs.workers", "" + number, "gnrs.gro", "off"));
            stage.load(server, count);
            Load load = Load.closed(Keys.uniform(count, 1), 512);
            contestants.put(name, contestant(stage, server, stage.generator(server, load, flows, Trains.OFF)));
        }
        Rounds rounds = Rounds.play(options.rounds(), contestants, stage.progress());
        List<String> notes = new ArrayList<>(rounds.notes());
        notes.add("The generator takes a processor of its own whenever it can: of " + Runtime.getRuntime()
                .availableProcessors() + " processors the workers have one less.");
        return new Report("Workers", Rounds.heading(), rounds.rows(), notes);
    }
}
