package io.guidepost.server.cli;

import io.guidepost.server.cli.support.AdminOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** What a command in the test's own process ended with, and what it said. */
public record CommandRun(int code, String out, String err) {
    public static CommandRun of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
        return new CommandRun(code, out.toString(), err.toString());
    }

    /** The members of what it said, an object of JSON. */
    public Map<String, Object> json() throws IOException {
        return new AdminOptions.Reply(200, out).object();
    }
}
