package io.guidepost.server.cli.handle;

import io.guidepost.server.cli.support.ConsoleCommand;
import picocli.CommandLine.Command;

/** {@code guidepost import}: moves records of other servers in. */
@Command(
        name = "import",
        description = "Moves records of other servers into the store of this one.",
        synopsisSubcommandLabel = "handle",
        subcommands = ImportHandleCommand.class,
        footer = "Example:  guidepost import handle /opt/hs/svr_1 /tmp/dump.json")
public final class ImportCommand extends ConsoleCommand {
    @Override
    public Integer call() {
        throw wrong("say what to import: guidepost import handle SOURCE");
    }
}
