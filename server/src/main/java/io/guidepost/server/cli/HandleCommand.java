package io.guidepost.server.cli;

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
            HandleGet.class,
            HandleCreate.class,
            HandleAdd.class,
            HandleModify.class,
            HandleRemove.class,
            HandleDelete.class,
            HandleList.class,
            HandleHome.class,
            HandleBatch.class,
            HandleKeygen.class,
            HandleSite.class,
            HandleVerify.class,
            HandleRedump.class
        },
        footer = {
            "",
            "Example:  guidepost handle get 1234/abc",
            "          guidepost handle create 1234/abc URL=https://example.org --as 300:1234/ADMIN --key admpriv.bin"
        })
final class HandleCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to do: one of " + String.join(", ", spec.subcommands().keySet()));
    }
}
