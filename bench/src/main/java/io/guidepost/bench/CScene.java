package io.guidepost.bench;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lookups at saturation against the C program that does the same work. */
@Command(
        name = "c",
        description = {
            "Lookups at saturation: the server against a C program of ours that does the same work",
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

    @Override
    Report play(Stage stage) {
        int count = options.size(records, 1000);
        Responder responder = stage.responder(options.serverCpu(), count, false);
        ServerUnderTest server = stage.server("guidepost", options.serverCpu(), Map.of("gnrs.gro", "off"));
        stage.load(server, count);
        Rounds rounds = lookups(stage, count, outstanding, server, responder);
        return new Report("Lookups at saturation against C", Rounds.heading(), rounds.rows(), rounds.notes());
    }
}
