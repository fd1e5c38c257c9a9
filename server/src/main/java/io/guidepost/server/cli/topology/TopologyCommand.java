package io.guidepost.server.cli.topology;

import io.guidepost.server.cli.support.ConsoleCommand;
import picocli.CommandLine.Command;

/** {@code guidepost topology}: looks at files of a network without a server. */
@Command(
        name = "topology",
        description = "Reads the files of a network without a server: are they right, and what do they say?",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {TopologyShowCommand.class, TopologyConvertCommand.class},
        footer = {
            "Example:  guidepost topology show routers.graphml prefixes.csv.gz",
            "          guidepost topology convert routers.graphml prefixes.csv.gz --to oracle conf/"
        })
public final class TopologyCommand extends ConsoleCommand {
    @Override
    public Integer call() {
        throw wrong("say what to do: show or convert");
    }
}
