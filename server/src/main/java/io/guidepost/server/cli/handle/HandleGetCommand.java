package io.guidepost.server.cli.handle;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.server.cli.support.ExitCode;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost handle get}: shows the values of a handle. */
@Command(
        name = "get",
        description = "Shows the values of a handle. What is not public is shown to those who say who they are.",
        footer = {
            "Example:  guidepost handle get 1234/abc",
            "          guidepost handle get 1234/abc --type URL --server handle.example.org",
            "          guidepost handle get 1234/ADMIN --index 301 --as 300:1234/ADMIN --key admpriv.bin"
        })
final class HandleGetCommand extends HandleClientCommand {
    @Parameters(index = "0", paramLabel = "HANDLE", converter = HandleText.class, description = HandleText.HELP)
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Handle handle;

    @Option(names = "--type", paramLabel = "TYPE", description = "Values of this type; may be repeated.")
    private List<String> types = List.of();

    @Option(names = "--index", paramLabel = "INDEX", description = "The value of this index; may be repeated.")
    private List<Integer> indexes = List.of();

    @Override
    HandleResult request(HandleClient client) throws IOException {
        boolean anonymous = options().identity().isEmpty();
        return client.resolve(new ResolveRequest(handle, indexes, types, anonymous, false, false, 0));
    }

    @Override
    int tell(HandleResult outcome) {
        if (json() || !outcome.success()) {
            return super.tell(outcome);
        }
        print(HandleOutcomeText.table(outcome.values()));
        return ExitCode.DONE;
    }
}
