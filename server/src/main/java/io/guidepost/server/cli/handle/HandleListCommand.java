package io.guidepost.server.cli.handle;

import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.server.cli.support.ExitCode;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code guidepost handle list}: lists the handles of a prefix. */
@Command(
        name = "list",
        description = "Lists the handles of a prefix, one a line, however many they are; with --json each is a string of JSON.",
        footer = "Example:  guidepost handle list 1234 --as 300:1234/ADMIN --key admpriv.bin")
final class HandleListCommand extends HandleClientCommand {
    @Parameters(index = "0", paramLabel = "PREFIX", description = "A prefix, such as 1234 or 0.NA/1234.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private String prefix;

    @Override
    HandleResult request(HandleClient client) throws IOException {
        return client.list(HandleText.prefixHandle(prefix), this::printLine);
    }

    @Override
    int tell(HandleResult outcome) {
        return outcome.success() ? ExitCode.DONE : super.tell(outcome);
    }
}
