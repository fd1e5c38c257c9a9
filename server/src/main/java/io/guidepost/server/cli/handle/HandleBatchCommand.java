package io.guidepost.server.cli.handle;

import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.transfer.ImportSource;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.ProgressLine;
import io.guidepost.web.JsonWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost handle batch}: has a server do what files say. */
@Command(
        name = "batch",
        description = {
            "Has a server do what batch files or dumps in JSON say, many things at a time.",
            "What one handle is to get is done in the order of the file. Each failure is told with its line."
        },
        footer = {
            "Example:  guidepost handle batch new-handles.txt --as 300:1234/ADMIN --key admpriv.bin",
            "          guidepost handle batch with-authenticate.txt --parallel 1"
        })
final class HandleBatchCommand extends ConsoleCommand {
    private static final int PARALLEL_MAX = 1024;

    @Parameters(index = "0..*", arity = "1..*", paramLabel = "FILE", description = "Batch files, or dumps in JSON.")
    private List<Path> files = List.of();

    @Option(
            names = "--parallel",
            paramLabel = "N",
            description = "Requests under way at a time (default: ${DEFAULT-VALUE}).")
    private int parallel = 64;

    @Option(names = "--overwrite", description = "CREATE replaces what exists.")
    private boolean overwrite;

    @Mixin
    private HandleOptions options = new HandleOptions();

    @Option(names = "--json", description = "Says the counts as JSON.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        if (parallel < 1 || parallel > PARALLEL_MAX) {
            throw wrong("--parallel is " + parallel + "; it must be 1 to " + PARALLEL_MAX);
        }
        HandleClientSettings settings = options.settings().withPipelined(true).withConnectionsMax(parallel);
        long done = 0;
        long failed = 0;
        for (Path each : files) {
            try (ImportSource source = ImportSource.open(each);
                    BatchRun run = new BatchRun(options, settings, overwrite, parallel, this::told);
                    ProgressLine progress = new ProgressLine(err(), "handles")) {
                run.run(source, count -> progress.at(source.fraction(), count));
                done += run.done();
                failed += run.failed();
            }
        }
        print(json ? JsonWriter.text(JsonWriter.object("done", done, "failed", failed))
                        : done + " done, " + failed + " failed\n");
        return failed == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    private synchronized void told(String line) {
        err().println("guidepost: " + line);
    }
}
