package io.guidepost.server.cli.handle;

import io.guidepost.handle.transfer.BatchFileWriter;
import io.guidepost.handle.transfer.ExportWriter;
import io.guidepost.handle.transfer.HandleExport;
import io.guidepost.handle.transfer.JsonDumpWriter;
import io.guidepost.server.cli.support.ConfigurationOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.ProgressLine;
import io.guidepost.server.handle.HandleStore;
import io.guidepost.web.JsonWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost export handle}: writes handles as a dump in JSON or as a batch file. */
@Command(
        name = "handle",
        description = {
            "Writes handles of a store as a dump in JSON, which other servers' loading tool reads too, or as a batch file.",
            "No server may have the store open; of one that runs, export a backup's copy: guidepost backup, guidepost restore."
        },
        footer = {
            "Example:  guidepost export handle dump.json",
            "          guidepost export handle 1234.batch --format batch --prefix 1234 --set store.folder=/var/lib/guidepost"
        })
final class ExportHandleCommand extends ConsoleCommand {
    private enum Format {
        JSON,
        BATCH
    }

    @Parameters(index = "0", paramLabel = "FILE", description = "A file that does not exist yet.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Path file;

    @Option(
            names = "--format",
            defaultValue = "json",
            description = "json, which holds all, or batch, which has no times of changes (default: ${DEFAULT-VALUE}).")
    private Format format = Format.JSON;

    @Option(names = "--prefix", paramLabel = "PREFIX", description = "Only handles of this prefix, such as 1234.")
    private @Nullable String prefix;

    @Mixin
    private ConfigurationOptions options = new ConfigurationOptions();

    @Option(names = "--json", description = "Says the counts as JSON.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        long[] skipped = new long[1];
        long written;
        try (HandleStore store = HandleStore.openExisting(options.load());
                ExportWriter out = format == Format.BATCH ? BatchFileWriter.create(file) : JsonDumpWriter.create(file);
                ProgressLine progress = new ProgressLine(err(), "handles")) {
            written = new HandleExport(store.records(), store.homes())
                    .run(
                            Optional.ofNullable(prefix),
                            out,
                            (handle, why) -> {
                                skipped[0]++;
                                err().println("guidepost: left out " + handle + ": " + why);
                            },
                            count -> progress.at(0, count));
            if (out instanceof BatchFileWriter batch && batch.shortened() > 0) {
                err().println("guidepost: " + batch.shortened()
                        + " records had references or TTLs that batch files do not hold; --format json has them");
            }
        }
        print(json ? JsonWriter.text(JsonWriter.object("written", written, "skipped", skipped[0]))
                        : "wrote " + written + " handles to " + file + "\n");
        return skipped[0] == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }
}
