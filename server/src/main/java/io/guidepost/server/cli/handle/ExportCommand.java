package io.guidepost.server.cli.handle;

import io.guidepost.server.cli.support.ConsoleCommand;
import picocli.CommandLine.Command;

/** {@code guidepost export}: writes records as files that other servers read. */
@Command(
        name = "export",
        description = "Writes the records of this server's store as files that other servers read.",
        synopsisSubcommandLabel = "handle",
        subcommands = ExportHandleCommand.class,
        footer = "Example:  guidepost export handle dump.json")
public final class ExportCommand extends ConsoleCommand {
    @Override
    public Integer call() {
        throw wrong("say what to export: guidepost export handle FILE");
    }
}
