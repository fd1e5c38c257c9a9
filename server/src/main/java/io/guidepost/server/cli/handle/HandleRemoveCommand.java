package io.guidepost.server.cli.handle;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.operation.HandleResult;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code guidepost handle remove}: removes values of a handle. */
@Command(
        name = "remove",
        description = "Removes values of a handle.",
        footer = "Example:  guidepost handle remove 1234/abc 2 3 --as 300:1234/ADMIN --key admpriv.bin")
final class HandleRemoveCommand extends HandleClientCommand {
    @Parameters(index = "0", paramLabel = "HANDLE", converter = HandleText.class, description = HandleText.HELP)
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Handle handle;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "INDEX", description = "Indexes of the values.")
    private List<Integer> indexes = List.of();

    @Override
    HandleResult request(HandleClient client) throws IOException {
        return client.remove(handle, indexes);
    }
}
