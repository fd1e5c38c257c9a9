package io.guidepost.server.cli.handle;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code guidepost import}: moves records of other servers in. */
@Command(
        name = "import",
        description = "Moves records of other servers into the store of this one.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "handle",
        subcommands = ImportHandleCommand.class,
        footer = {"", "Example:  guidepost import handle /opt/hs/svr_1 /tmp/dump.json"})
public final class ImportCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to import: guidepost import handle SOURCE");
    }
}
