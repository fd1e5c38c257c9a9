package io.guidepost.server.cli.handle;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.HandleClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code guidepost handle delete}: deletes a handle. */
@Command(
        name = "delete",
        description = "Deletes a handle.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost handle delete 1234/abc --as 300:1234/ADMIN --key admpriv.bin"
        })
final class HandleDeleteCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "HANDLE", converter = HandleText.class, description = HandleText.HELP)
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Handle handle;

    @Mixin
    private HandleOptions options = new HandleOptions();

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        try (HandleClient client = options.open()) {
            return HandleOutcomeText.tell(client.delete(handle), json, spec.commandLine());
        }
    }
}
