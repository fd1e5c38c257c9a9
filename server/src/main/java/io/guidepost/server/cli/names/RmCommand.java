package io.guidepost.server.cli.names;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.names.Guid;
import io.guidepost.server.cli.support.ArgumentTypes;
import io.guidepost.server.cli.support.ClientOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.web.JsonWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost rm}: forgets a GUID. */
@Command(
        name = "rm",
        description = "Removes all places of a GUID. It is no error if it has none.",
        footer = "Example:  guidepost rm printer")
public final class RmCommand extends ConsoleCommand {
    @Parameters(paramLabel = "GUID", description = ArgumentTypes.GUID_HELP)
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Guid guid;

    @Mixin
    private ClientOptions client = new ClientOptions();

    @Option(names = "--json", description = "Says as JSON what was acknowledged.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        try (GnrsClient opened = client.open(1)) {
            opened.delete(guid);
        }
        if (json) {
            print(JsonWriter.text(JsonWriter.object("guid", guid, "acknowledged", true)));
        }
        return ExitCode.DONE;
    }
}
