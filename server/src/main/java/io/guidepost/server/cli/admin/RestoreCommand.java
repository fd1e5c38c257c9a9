package io.guidepost.server.cli.admin;

import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.store.embedded.EmbeddedStore;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code guidepost restore}: makes a store of a backup. */
@Command(
        name = "restore",
        description = "Checks a backup and makes a store of it in a new folder. Start a server with that folder then.",
        footer = {
            "Example:  guidepost restore /var/backups/guidepost-2026-11-20 /var/lib/guidepost",
            "          guidepost serve --set store.folder=/var/lib/guidepost"
        })
public final class RestoreCommand extends ConsoleCommand {
    @Parameters(index = "0", paramLabel = "BACKUP", description = "Folder that guidepost backup wrote.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Path backup;

    @Parameters(index = "1", paramLabel = "FOLDER", description = "A folder that does not exist yet.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Path folder;

    @Override
    public Integer call() throws Exception {
        EmbeddedStore.restore(backup, folder);
        out().println("restored " + backup + " to " + folder);
        return ExitCode.DONE;
    }
}
