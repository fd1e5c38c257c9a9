package io.guidepost.server.cli.topology;

import io.guidepost.base.Malformed;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.TerminalCheck;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost oracle}: the console of a running server's network. */
@Command(
        name = "oracle",
        description = {
            "Shows and changes the network of a running server: routers, links, prefixes.",
            "An empty line lists the commands. Without a terminal, lines are read as they come."
        },
        footer = {
            "Example:  guidepost oracle",
            "          guidepost oracle --execute 'print path 10.1.0.1 8.8.8.8'",
            "          guidepost oracle < changes.txt",
            "Exit codes:  1 if a line was refused; the first that --execute has ends it"
        })
public final class OracleCommand extends ConsoleCommand {
    /** How the server says that a line was refused; other statuses are about the way to it. */
    private static final int REFUSED = 422;

    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Option(names = {"-e", "--execute"}, paramLabel = "LINE", description = "A line to carry out; may be given again.")
    private List<String> lines = List.of();

    @Override
    public Integer call() throws Exception {
        PrintWriter out = out();
        if (!lines.isEmpty()) {
            for (String each : lines) {
                if (!execute(each, out)) {
                    return ExitCode.FAILED;
                }
            }
            return ExitCode.DONE;
        }
        if (TerminalCheck.isThere()) {
            new OraclePrompt(this::execute, this::complete).run();
            return ExitCode.DONE;
        }
        return fromPipe(out) ? ExitCode.DONE : ExitCode.FAILED;
    }

    /** Goes on after a refusal, as the lines may have come from anywhere; whether there was none. */
    private boolean fromPipe(PrintWriter out) throws IOException {
        boolean all = true;
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!line.isBlank() && !line.strip().startsWith("#")) {
                all &= execute(line, out);
            }
        }
        return all;
    }

    /** Has the server carry out a line; whether it did. */
    private boolean execute(String line, PrintWriter out) throws IOException {
        AdminOptions.Reply reply = admin.post("/oracle", line);
        if (!reply.done() && reply.status() != REFUSED) {
            throw refused(reply);
        }
        out.print(reply.body());
        out.flush();
        return reply.done();
    }

    private static IOException refused(AdminOptions.Reply reply) {
        return new IOException(
                switch (reply.status()) {
                    case HttpURLConnection.HTTP_UNAUTHORIZED ->
                        "the server asks for a token: name the file that has it with --token-file";
                    case HttpURLConnection.HTTP_NOT_FOUND -> "this server has no console: it is older, or has no network";
                    default -> "the server said " + reply.status() + ": " + reply.body().strip();
                });
    }

    /** What the last word of a line may become. */
    private List<String> complete(String line) throws IOException {
        AdminOptions.Reply reply =
                admin.get("/oracle?complete=" + URLEncoder.encode(line, StandardCharsets.UTF_8));
        if (!reply.done()) {
            return List.of();
        }
        try {
            List<String> words = new ArrayList<>();
            JsonField told = JsonValue.read(reply.body().getBytes(StandardCharsets.UTF_8)).whole();
            for (JsonField each : told.elements(Integer.MAX_VALUE)) {
                words.add(each.text());
            }
            return words;
        } catch (Malformed e) {
            return List.of();
        }
    }
}
