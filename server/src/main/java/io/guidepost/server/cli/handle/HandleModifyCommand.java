package io.guidepost.server.cli.handle;

import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.operation.HandleResult;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code guidepost handle modify}: changes values of a handle. */
@Command(
        name = "modify",
        description = "Puts values in the place of those with the same indexes.",
        footer = "Example:  guidepost handle modify 1234/abc 1:URL=https://example.org/new --as 300:1234/ADMIN --key admpriv.bin")
final class HandleModifyCommand extends HandleClientCommand {
    @Mixin
    private ValueArguments values = new ValueArguments();

    @Override
    HandleResult request(HandleClient client) throws IOException {
        return client.modify(values.handle(), values.read());
    }
}
