package io.guidepost.server.cli.topology;

import io.guidepost.base.FaultyFile;
import io.guidepost.proximity.AsNotation;
import io.guidepost.proximity.input.InputOptions;
import io.guidepost.proximity.input.LoadedNetwork;
import io.guidepost.proximity.input.NetworkFiles;
import io.guidepost.proximity.topology.RoutingMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Files of a network, and what is made of things that they do not say. */
final class TopologyOptions {
    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "The Oracle's main file, GraphML, JSON of nodes and links, graphs of Repetita, lists of prefixes;"
                    + " any of them packed with gzip or bzip2.")
    private List<Path> files = List.of();

    @Option(
            names = "--exit",
            paramLabel = "ROUTER",
            description = "Where prefixes hang whose file names no router, each AS at one: address or name; may be given"
                    + " again (default: the eight routers with most lines).")
    private List<String> exits = List.of();

    @Option(names = "--own-as", paramLabel = "AS", description = "Number of your own system: its prefixes are internal.")
    private String ownAs = "0";

    @Option(
            names = "--iroutes",
            paramLabel = "expl|impl",
            description = "Paths along the routes of the Oracle's files, or by weights (default: as the files say).")
    private @Nullable String routing;

    LoadedNetwork read() throws IOException, FaultyFile {
        byte[] text = ownAs.getBytes(StandardCharsets.UTF_8);
        long number = AsNotation.PLAIN.parse(text, 0, text.length);
        if (number < 0) {
            throw new IOException("--own-as is '" + ownAs + "': write " + AsNotation.PLAIN.expected());
        }
        InputOptions options = InputOptions.DEFAULTS.withExits(exits).withOwnAs(number);
        return NetworkFiles.read(files, routing == null ? options : options.withRouting(routing(routing)));
    }

    private static RoutingMode routing(String text) throws IOException {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "expl", "explicit" -> RoutingMode.EXPLICIT;
            case "impl", "implicit" -> RoutingMode.IMPLICIT;
            default -> throw new IOException("--iroutes is '" + text + "': write expl or impl");
        };
    }
}
