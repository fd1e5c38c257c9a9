package io.guidepost.server.cli.handle;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.HandleClient;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code guidepost handle remove}: removes values of a handle. */
@Command(
        name = "remove",
        description = "Removes values of a handle.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost handle remove 1234/abc 2 3 --as 300:1234/ADMIN --key admpriv.bin"
        })
final class HandleRemoveCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "HANDLE", converter = HandleText.class, description = HandleText.HELP)
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Handle handle;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "INDEX", description = "Indexes of the values.")
    private List<Integer> indexes = List.of();

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
            return HandleOutcomeText.tell(client.remove(handle, indexes), json, spec.commandLine());
        }
    }
}
