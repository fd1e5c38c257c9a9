package io.guidepost.server.cli.admin;

import io.guidepost.server.cli.support.AdminPortCommand;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code guidepost backup}: has a running server copy its records. */
@Command(
        name = "backup",
        description = {
            "Has a running server write a consistent copy of its records to a new folder of its machine,",
            "in the folder that its admin.backup-folder names."
        },
        footer = {"Example:  guidepost backup", "          guidepost backup before-upgrade"})
public final class BackupCommand extends AdminPortCommand {
    private static final DateTimeFormatter NOW =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Name of the new folder (default: the time, as 2026-11-20T06-00-00Z).")
    private @Nullable String name;

    @Override
    public Integer call() throws IOException {
        return post("/backup", name == null ? NOW.format(Instant.now()) : name);
    }
}
