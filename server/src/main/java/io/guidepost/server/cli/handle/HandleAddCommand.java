package io.guidepost.server.cli.handle;

import io.guidepost.handle.client.HandleClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code guidepost handle add}: adds values to a handle. */
@Command(
        name = "add",
        description = "Adds values to a handle.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost handle add 1234/abc 2:EMAIL=a@example.org --as 300:1234/ADMIN --key admpriv.bin"
        })
final class HandleAddCommand implements Callable<Integer> {
    @Mixin
    private ValueArguments values = new ValueArguments();

    @Option(names = "--overwrite", description = "Replaces values of the same indexes.")
    private boolean overwrite;

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
            return HandleOutcomeText.tell(client.add(values.handle(), values.read(), overwrite), json, spec.commandLine());
        }
    }
}
