package io.guidepost.server.cli.handle;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.server.cli.support.ConsoleCommand;
import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that sends a request to a server of handles and prints the outcome. */
abstract class HandleClientCommand extends ConsoleCommand {
    @Mixin
    private HandleOptions options = new HandleOptions();

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    final HandleOptions options() {
        return options;
    }

    final boolean json() {
        return json;
    }

    abstract HandleResult request(HandleClient client) throws IOException;

    /** Prints an outcome without values, nothing if it went well unless in JSON, and returns the exit code. */
    int tell(HandleResult outcome) {
        if (json) {
            print(HandleOutcomeText.json(outcome));
        } else if (!outcome.success()) {
            err().println("guidepost: " + outcome.handle() + ": " + HandleOutcomeText.reason(outcome));
        }
        return HandleOutcomeText.code(outcome);
    }

    @Override
    public Integer call() throws Exception {
        try (HandleClient client = options.open()) {
            return tell(request(client));
        }
    }

    /** Prints a handle of a list, and returns whether the list is to go on. */
    final boolean printLine(Handle handle) {
        out().println(json ? HandleOutcomeText.quoted(handle) : handle.toString());
        return !out().checkError();
    }
}
