package io.guidepost.server.cli.names;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.NameForm;
import io.guidepost.server.cli.support.ArgumentTypes;
import io.guidepost.server.cli.support.ClientOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.web.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost get}: where is it? */
@Command(
        name = "get",
        description = "Asks a server where names are, and prints their places.",
        footer = {
            "Example:  guidepost get alice",
            "          guidepost get orders.prod.eu-west-1.example 1234/library",
            "          guidepost get - < names.txt             (a name a line; each place behind its name)",
            "          guidepost get alice --no-recursive      (the links themselves, and what this server has)",
            "Exit code: 3 if nothing is bound to one of them"
        })
public final class GetCommand extends ConsoleCommand {
    private static final String STANDARD_INPUT = "-";

    @Parameters(paramLabel = "NAME", arity = "1..*", description = ArgumentTypes.NAME_HELP + " - reads them from standard input.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private List<String> names;

    @Mixin
    private ClientOptions client = new ClientOptions();

    @Option(
            names = {"-r", "--recursive"},
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Whether the server follows bindings to other GUIDs and asks other servers (default: it does).")
    private boolean recursive;

    @Option(names = "--json", description = "As JSON, a line for each of several names.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        boolean several = names.size() > 1 || names.contains(STANDARD_INPUT);
        for (String each : names) {
            form(each);
        }
        int code = ExitCode.DONE;
        try (GnrsClient opened = client.open(1)) {
            for (String each : names) {
                code = Math.max(code, each.equals(STANDARD_INPUT) ? lines(opened) : get(opened, each, several));
            }
        }
        return code;
    }

    private NameForm form(String name) {
        try {
            return NameForm.parse(name);
        } catch (Malformed e) {
            throw wrong("'" + name + "': " + e.getMessage());
        }
    }

    private int lines(GnrsClient opened) throws IOException {
        int code = ExitCode.DONE;
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.isEmpty()) {
                code = Math.max(code, get(opened, line, true));
            }
        }
        return code;
    }

    private int get(GnrsClient opened, String name, boolean several) throws IOException {
        NameForm form = form(name);
        GnrsResponse answer = opened.lookup(form.guid(), recursive);
        if (json) {
            Map<String, Object> object = JsonWriter.object(
                    "name", several ? name : null,
                    "guid", form.guid(),
                    "places", answer.bindings().stream().map(GetCommand::json).toList(),
                    "total", answer.total(),
                    "roundTripMicros", answer.roundTripNanos() / 1000);
            out().print(several ? JsonWriter.line(object) + "\n" : JsonWriter.text(object));
        } else {
            answer.bindings().forEach(each -> out().println((several ? name + "  " : "") + line(each)));
        }
        out().flush();
        if (!answer.complete()) {
            err().println("guidepost: " + answer.bindings().size() + " of " + answer.total()
                    + " places; the others did not fit into the answer");
        }
        if (answer.bindings().isEmpty() && answer.total() == 0) {
            err().println("guidepost: nothing is bound to " + name);
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
