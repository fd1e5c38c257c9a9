package io.guidepost.server.cli.handle;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.server.cli.support.ExitCode;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost handle home}: says which prefixes a server is responsible for, and changes that. */
@Command(
        name = "home",
        description = "Makes a server responsible for prefixes; without one it lists those that it is responsible for.",
        footer = {
            "Example:  guidepost handle home 1234 --as 300:1234/ADMIN --key admpriv.bin",
            "          guidepost handle home --as 300:1234/ADMIN --key admpriv.bin       (lists them)",
            "          guidepost handle home 1234 --end --as 300:1234/ADMIN --key admpriv.bin"
        })
final class HandleHomeCommand extends HandleClientCommand {
    @Parameters(index = "0..*", paramLabel = "PREFIX", description = "Prefixes, such as 1234 or 0.NA/1234.")
    private List<String> prefixes = List.of();

    @Option(names = "--end", description = "Ends the responsibility; the records stay.")
    private boolean end;

    @Override
    HandleResult request(HandleClient client) throws IOException {
        return client.homed(this::printLine);
    }

    @Override
    int tell(HandleResult outcome) {
        return prefixes.isEmpty() && outcome.success() ? ExitCode.DONE : super.tell(outcome);
    }

    @Override
    public Integer call() throws Exception {
        if (prefixes.isEmpty()) {
            return super.call();
        }
        try (HandleClient client = options().open()) {
            for (String each : prefixes) {
                Handle prefix = HandleText.prefixHandle(each);
                int code = tell(end ? client.unhome(prefix) : client.home(prefix));
                if (code != ExitCode.DONE) {
                    return code;
                }
            }
            return ExitCode.DONE;
        }
    }
}
