package io.guidepost.server.cli.admin;

import io.guidepost.server.cli.support.AdminPortCommand;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code guidepost backup}: has a running server copy its records. */
@Command(
        name = "backup",
        description = "Has a running server write a consistent copy of its records to a new folder of its machine.",
        footer = {"", "Example:  guidepost backup /var/backups/guidepost-2026-11-20"})
public final class BackupCommand extends AdminPortCommand {
    @Parameters(paramLabel = "FOLDER", description = "A folder that does not exist yet.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Path folder;

    @Override
    public Integer call() throws IOException {
        return post("/backup", folder.toAbsolutePath().toString());
    }
}
