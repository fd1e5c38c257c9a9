package io.guidepost.server.cli.handle;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.operation.HandleResult;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code guidepost handle delete}: deletes a handle. */
@Command(
        name = "delete",
        description = "Deletes a handle.",
        footer = "Example:  guidepost handle delete 1234/abc --as 300:1234/ADMIN --key admpriv.bin")
final class HandleDeleteCommand extends HandleClientCommand {
    @Parameters(index = "0", paramLabel = "HANDLE", converter = HandleText.class, description = HandleText.HELP)
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Handle handle;

    @Override
    HandleResult request(HandleClient client) throws IOException {
        return client.delete(handle);
    }
}
