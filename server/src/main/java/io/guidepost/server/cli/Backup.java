package io.guidepost.server.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code guidepost backup}: has a running server copy its records. */
@Command(
        name = "backup",
        description = "Has a running server write a consistent copy of its records to a new folder of its machine.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:  guidepost backup /var/backups/guidepost-2026-11-20"})
final class Backup implements Callable<Integer> {
    @Parameters(paramLabel = "FOLDER", description = "A folder that does not exist yet.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Path folder;

    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        AdminOptions.Reply reply = admin.post("/backup", folder.toAbsolutePath().toString());
        Replies.print(reply, spec);
        return reply.done() ? Exit.DONE : Exit.FAILED;
    }
}
