package io.guidepost.server.cli.names;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.server.cli.support.ArgumentTypes;
import io.guidepost.server.cli.support.ClientOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.web.JsonWriter;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost get}: where is it? */
@Command(
        name = "get",
        description = "Asks a server where a GUID is, and prints its places.",
        footer = {
            "Example:  guidepost get alice",
            "          guidepost get alice --no-recursive      (the links themselves, and what this server has)",
            "Exit code: 3 if nothing is bound to it"
        })
public final class GetCommand extends ConsoleCommand {
    @Parameters(paramLabel = "GUID", description = ArgumentTypes.GUID_HELP)
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Guid guid;

    @Mixin
    private ClientOptions client = new ClientOptions();

    @Option(
            names = {"-r", "--recursive"},
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Whether the server follows bindings to other GUIDs and asks other servers (default: it does).")
    private boolean recursive;

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        GnrsResponse answer;
        try (GnrsClient opened = client.open(1)) {
            answer = opened.lookup(guid, recursive);
        }
        PrintWriter out = out();
        if (json) {
            out.print(JsonWriter.text(JsonWriter.object(
                    "guid", guid,
                    "places", answer.bindings().stream().map(GetCommand::json).toList(),
                    "total", answer.total(),
                    "roundTripMicros", answer.roundTripNanos() / 1000)));
        } else {
            answer.bindings().forEach(each -> out.println(line(each)));
        }
        out.flush();
        if (!answer.complete()) {
            err().println("guidepost: " + answer.bindings().size() + " of " + answer.total()
                    + " places; the others did not fit into the answer");
        }
        if (answer.bindings().isEmpty() && answer.total() == 0) {
            err().println("guidepost: nothing is bound to " + typed(0));
            return ExitCode.NOT_FOUND;
        }
        return ExitCode.DONE;
    }

    private static String line(Binding binding) {
        String ttl = binding.ttlMillis() == 0 ? "" : "  cache for " + binding.ttlMillis() + " ms";
        String expiry = binding.expiryMillis() == 0 ? "" : "  until " + Instant.ofEpochMilli(binding.expiryMillis());
        return binding.locator() + ttl + expiry;
    }

    private static Map<String, Object> json(Binding binding) {
        return JsonWriter.object(
                "place", binding.locator(), "ttlMillis", binding.ttlMillis(), "expiryMillis", binding.expiryMillis());
    }
}
