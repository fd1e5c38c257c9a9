package io.guidepost.server.cli.scaffold;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which gateway's folder a command is about. */
final class FolderOption {
    @Option(
            names = {"-f", "--folder"},
            paramLabel = "FOLDER",
            description = "Folder of the gateway, with its keys and what it offers (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("guidepost-gateway");

    GatewayFolder folder() {
        return new GatewayFolder(folder);
    }
}
