package io.guidepost.server.cli.handle;

import io.guidepost.server.cli.support.ConsoleCommand;
import picocli.CommandLine.Command;

/** {@code guidepost handle}: asks servers of handles, and changes what they keep. */
@Command(
        name = "handle",
        description = "Asks servers of handles, and changes what they keep: this one, and any that is compatible.",
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
            "Example:  guidepost handle get 1234/abc",
            "          guidepost handle create 1234/abc URL=https://example.org --as 300:1234/ADMIN --key admpriv.bin"
        })
public final class HandleCommands extends ConsoleCommand {
    @Override
    public Integer call() {
        throw wrong("say what to do: one of " + String.join(", ", spec().subcommands().keySet()));
    }
}
