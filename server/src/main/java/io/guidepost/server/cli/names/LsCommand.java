package io.guidepost.server.cli.names;

import io.guidepost.base.Malformed;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost ls}: which names are there? */
@Command(
        name = "ls",
        description = "Lists names that begin with a prefix, in the order of their bytes.",
        footer = {
            "Example:  guidepost ls orders.",
            "          guidepost ls orders. --long"
        })
public final class LsCommand extends ConsoleCommand {
    private static final int PAGE = 1000;

    @Parameters(paramLabel = "PREFIX", arity = "0..1", description = "What they begin with (default: all).")
    private String prefix = "";

    @Mixin
    private NamesOptions server = new NamesOptions();

    @Option(
            names = {"-l", "--long"},
            description = "Each place behind its name.")
    private boolean places;

    @Option(names = "--json", description = "As JSON, a line for each name.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            String after = "";
            do {
                String target = "/v1/names?limit=" + PAGE + "&prefix=" + NamesOptions.encoded(prefix)
                        + (after.isEmpty() ? "" : "&after=" + NamesOptions.encoded(after));
                try (InputStream in = server.get(client, target)) {
                    JsonField page = JsonValue.read(in.readAllBytes(), Integer.MAX_VALUE).whole();
                    for (JsonField each : page.member("names").elements(PAGE)) {
                        print(each);
                    }
                    Optional<JsonField> next = page.find("next");
                    after = next.isPresent() ? next.get().text() : "";
                }
            } while (!after.isEmpty());
        } catch (Malformed e) {
            throw new IOException("the server's answer is malformed: " + e.getMessage(), e);
        }
        out().flush();
        return ExitCode.DONE;
    }

    private void print(JsonField record) throws Malformed {
        String name = record.member("name").text();
        if (json) {
            out().println(JsonWriter.line(record.object()));
        } else if (places) {
            for (JsonField each : record.member("places").elements(Integer.MAX_VALUE)) {
                out().println(name + "  " + each.member("place").text());
            }
        } else {
            out().println(name);
        }
    }
}
