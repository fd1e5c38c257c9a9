package io.guidepost.server.cli.topology;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code guidepost topology}: looks at files of a network without a server. */
@Command(
        name = "topology",
        description = "Reads the files of a network without a server: are they right, and what do they say?",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {TopologyShowCommand.class, TopologyConvertCommand.class},
        footer = {
            "",
            "Example:  guidepost topology show routers.graphml prefixes.csv.gz",
            "          guidepost topology convert routers.graphml prefixes.csv.gz --to oracle conf/"
        })
public final class TopologyCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do: show or convert");
    }
}
