package io.guidepost.server.cli.scaffold;

import io.guidepost.base.DurableFiles;
import io.guidepost.base.Pem;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Delegation;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost scaffold delegate}: lets another host serve an object. */
@Command(
        name = "delegate",
        description = {
            "Lets another host serve an object whose key is in the folder; makes the key if need be.",
            "The file that it writes is no secret: the other host gives it to scaffold register."
        },
        footer = {
            "Example:  guidepost scaffold delegate web --host 0123456789abcdef0123456789abcdef01234567",
            "          guidepost scaffold keys     (on the other host: shows its GUID)"
        })
final class DelegateCommand extends ConsoleCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the object, below the zone.")
    private String name = "";

    @Option(names = "--host", required = true, paramLabel = "GUID", description = "GUID of the other host.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Guid host;

    @Option(names = "--days", paramLabel = "N", description = "For how long, 1 to 3650 (default: ${DEFAULT-VALUE}).")
    private int days = (int) RegisterCommand.YEAR.toDays();

    @Option(names = "--out", paramLabel = "FILE", description = "File to write (default: NAME.delegation.pem).")
    private @Nullable Path out;

    @Mixin
    private final FolderOption folder = new FolderOption();

    @Override
    public Integer call() throws IOException {
        if (days < 1 || days > 3650) {
            throw wrong("--days is " + days + "; it must be 1 to 3650");
        }
        String own = GatewayFolder.name(name);
        GatewayFolder keys = folder.folder();
        keys.make();
        Instant expiry = Instant.now().plus(Duration.ofDays(days));
        Delegation delegation = keys.objectKey(own).delegate(host, expiry.getEpochSecond());
        Path file = out == null ? Path.of(own + ".delegation.pem") : out;
        DurableFiles.write(file, Pem.write(GatewayFolder.DELEGATION, delegation.bytes()));
        out().println("wrote " + file + ": host " + host + " may serve " + own + " (object " + delegation.object() + ") until " + expiry);
        return ExitCode.DONE;
    }
}
