package io.guidepost.server.cli.handle;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code guidepost handle}: asks servers of handles, and changes what they keep. */
@Command(
        name = "handle",
        description = "Asks servers of handles, and changes what they keep: this one, and any that is compatible.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            HandleGetCommand.class,
            HandleCreateCommand.class,
            HandleAddCommand.class,
            HandleModifyCommand.class,
            HandleRemoveCommand.class,
            HandleDeleteCommand.class,
            HandleListCommand.class,
            HandleHomeCommand.class,
            HandleBatchCommand.class,
            HandleKeygenCommand.class,
            HandleSiteCommand.class,
            HandleVerifyCommand.class,
            HandleRedumpCommand.class
        },
        footer = {
            "",
            "Example:  guidepost handle get 1234/abc",
            "          guidepost handle create 1234/abc URL=https://example.org --as 300:1234/ADMIN --key admpriv.bin"
        })
public final class HandleCommands implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to do: one of " + String.join(", ", spec.subcommands().keySet()));
    }
}
