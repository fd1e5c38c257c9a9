package io.guidepost.server.cli.handle;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code guidepost export}: writes records as files that other servers read. */
@Command(
        name = "export",
        description = "Writes the records of this server's store as files that other servers read.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "handle",
        subcommands = ExportHandleCommand.class,
        footer = {"", "Example:  guidepost export handle dump.json"})
public final class ExportCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to export: guidepost export handle FILE");
    }
}
