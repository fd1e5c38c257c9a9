package io.guidepost.server.cli.admin;

import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.store.embedded.EmbeddedStore;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code guidepost restore}: makes a store of a backup. */
@Command(
        name = "restore",
        description = "Checks a backup and makes a store of it in a new folder. Start a server with that folder then.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost restore /var/backups/guidepost-2026-11-20 /var/lib/guidepost",
            "          guidepost serve --set store.folder=/var/lib/guidepost"
        })
public final class RestoreCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "BACKUP", description = "Folder that guidepost backup wrote.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Path backup;

    @Parameters(index = "1", paramLabel = "FOLDER", description = "A folder that does not exist yet.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Path folder;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        EmbeddedStore.restore(backup, folder);
        spec.commandLine().getOut().println("restored " + backup + " to " + folder);
        return ExitCode.DONE;
    }
}
