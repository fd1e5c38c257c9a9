package io.guidepost.server.cli.handle;

import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.server.cli.support.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code guidepost handle list}: lists the handles of a prefix. */
@Command(
        name = "list",
        description = "Lists the handles of a prefix, one a line, however many they are.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost handle list 1234 --as 300:1234/ADMIN --key admpriv.bin"
        })
final class HandleListCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "PREFIX", description = "A prefix, such as 1234 or 0.NA/1234.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private String prefix;

    @Mixin
    private HandleOptions options = new HandleOptions();

    @Option(names = "--json", description = "Each as a string of JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        try (HandleClient client = options.open()) {
            HandleResult outcome = client.list(HandleText.prefixHandle(prefix), each -> {
                out.println(json ? HandleOutcomeText.quoted(each) : each.toString());
                return !out.checkError();
            });
            out.flush();
            return outcome.success() ? ExitCode.DONE : HandleOutcomeText.tell(outcome, json, spec.commandLine());
        }
    }
}
