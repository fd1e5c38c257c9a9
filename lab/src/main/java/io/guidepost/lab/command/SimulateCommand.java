package io.guidepost.lab.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code guidepost simulate}: what cannot be tried out on one machine. */
@Command(
        name = "simulate",
        description = "Plays what cannot be tried out on one machine.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {SimulateClusterCommand.class, SimulateDmapCommand.class, SimulateScaffoldCommand.class, SimulateWatchCommand.class},
        footer = {"", "Example:  guidepost simulate dmap --small"})
final class SimulateCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what: one of " + String.join(", ", spec.subcommands().keySet()));
    }
}
