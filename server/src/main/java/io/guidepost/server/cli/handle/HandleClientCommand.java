package io.guidepost.server.cli.handle;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.operation.HandleResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that sends a request to a server of handles and prints the outcome. */
abstract class HandleClientCommand implements Callable<Integer> {
    @Mixin
    private HandleOptions options = new HandleOptions();

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    final HandleOptions options() {
        return options;
    }

    final boolean json() {
        return json;
    }

    final CommandSpec spec() {
        return spec;
    }

    /** Sends the request. */
    abstract HandleResult request(HandleClient client) throws IOException;

    /** Prints the outcome, and returns the exit code. */
    int tell(HandleResult outcome) {
        return HandleOutcomeText.tell(outcome, json, spec.commandLine());
    }

    @Override
    public Integer call() throws Exception {
        try (HandleClient client = options.open()) {
            return tell(request(client));
        }
    }

    /** Prints a handle of a list, and returns whether the list is to go on. */
    final boolean print(Handle handle) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? HandleOutcomeText.quoted(handle) : handle.toString());
        return !out.checkError();
    }
}
