package io.guidepost.server.cli.handle;

import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.operation.HandleResult;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost handle add}: adds values to a handle. */
@Command(
        name = "add",
        description = "Adds values to a handle.",
        footer = "Example:  guidepost handle add 1234/abc 2:EMAIL=a@example.org --as 300:1234/ADMIN --key admpriv.bin")
final class HandleAddCommand extends HandleClientCommand {
    @Mixin
    private ValueArguments values = new ValueArguments();

    @Option(names = "--overwrite", description = "Replaces values of the same indexes.")
    private boolean overwrite;

    @Override
    HandleResult request(HandleClient client) throws IOException {
        return client.add(values.handle(), values.read(), overwrite);
    }
}
