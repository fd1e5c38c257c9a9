package io.guidepost.server.cli.handle;

import io.guidepost.handle.client.HandleClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code guidepost handle modify}: changes values of a handle. */
@Command(
        name = "modify",
        description = "Puts values in the place of those with the same indexes.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost handle modify 1234/abc 1:URL=https://example.org/new --as 300:1234/ADMIN --key admpriv.bin"
        })
final class HandleModifyCommand implements Callable<Integer> {
    @Mixin
    private ValueArguments values = new ValueArguments();

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
            return HandleOutcomeText.tell(client.modify(values.handle(), values.read()), json, spec.commandLine());
        }
    }
}
