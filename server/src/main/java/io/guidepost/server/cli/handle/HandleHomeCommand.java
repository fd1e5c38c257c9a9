package io.guidepost.server.cli.handle;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.server.cli.support.ExitCode;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code guidepost handle home}: says which prefixes a server is responsible for, and changes that. */
@Command(
        name = "home",
        description = "Makes a server responsible for prefixes; without one it lists those that it is responsible for.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost handle home 1234 --as 300:1234/ADMIN --key admpriv.bin",
            "          guidepost handle home --as 300:1234/ADMIN --key admpriv.bin       (lists them)",
            "          guidepost handle home 1234 --end --as 300:1234/ADMIN --key admpriv.bin"
        })
final class HandleHomeCommand implements Callable<Integer> {
    @Parameters(index = "0..*", paramLabel = "PREFIX", description = "Prefixes, such as 1234 or 0.NA/1234.")
    private List<String> prefixes = List.of();

    @Option(names = "--end", description = "Ends the responsibility; the records stay.")
    private boolean end;

    @Mixin
    private HandleOptions options = new HandleOptions();

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        try (HandleClient client = options.open()) {
            if (prefixes.isEmpty()) {
                HandleResult outcome = client.homed(each -> {
                    out.println(json ? HandleOutcomeText.quoted(each) : each.toString());
                    return !out.checkError();
                });
                out.flush();
                return outcome.success() ? ExitCode.DONE : HandleOutcomeText.tell(outcome, json, spec.commandLine());
            }
            for (String each : prefixes) {
                Handle prefix = HandleText.prefixHandle(each);
                int code = HandleOutcomeText.tell(
                        end ? client.unhome(prefix) : client.home(prefix), json, spec.commandLine());
                if (code != ExitCode.DONE) {
                    return code;
                }
            }
            return ExitCode.DONE;
        }
    }
}
